// Shared memory of a block: the thread-local arrays that __shared__ declares, and one dynamic
// buffer, both of the host thread that runs the block. Relative to the thread-local block, each
// array lies at the same offset in all host threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cusim {

struct SharedArray {
    std::string name;
    std::string mangled;
    std::size_t offset, bytes;
};

// Largest dynamic shared memory of any profile (CUDA C++ Programming Guide, "Technical
// specifications per compute capability": 227 KiB on 9.0).
constexpr std::size_t kMostDynamicShared = std::size_t{227} * 1024;

class SharedMemoryMap {
  public:
    static const SharedMemoryMap& instance();

    // Returns the arrays by index: 0 is no array, 1 the dynamic buffer.
    const std::vector<SharedArray>& arrays() const { return arrays_; }
    // Returns the index of the array that owns the byte at this offset of the thread-local block.
    std::uint16_t owner(std::size_t offset) const { return owner_[offset]; }
    const std::uint16_t* owners() const { return owner_.data(); }

    // Returns the bytes of the arrays that this kernel declares itself.
    std::size_t staticBytes(const void* kernel) const;
    // Returns the indices of these arrays.
    std::vector<std::size_t> declaredBy(const void* kernel) const;
    // Tests whether this kernel declares the array of this index.
    bool declares(const void* kernel, std::size_t array) const;

  private:
    SharedMemoryMap();

    std::vector<SharedArray> arrays_;
    std::vector<std::uint16_t> owner_;
};

}  // namespace cusim
