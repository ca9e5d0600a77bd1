// Shared memory: the thread-local arrays that __shared__ declares, of the host thread that runs a
// block, and one buffer a host thread for the dynamic part. Which array holds which byte is the
// same for all host threads, relative to their thread-local block.
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

    // Index 0 is no array at all, index 1 the dynamic buffer.
    const std::vector<SharedArray>& arrays() const { return arrays_; }
    // The array that owns a byte of the thread-local block.
    std::uint16_t owner(std::size_t offset) const { return owner_[offset]; }
    const std::uint16_t* owners() const { return owner_.data(); }

    // Bytes of the arrays that this kernel declares itself.
    std::size_t staticBytes(const void* kernel) const;

  private:
    SharedMemoryMap();

    std::vector<SharedArray> arrays_;
    std::vector<std::uint16_t> owner_;
};

}  // namespace cusim
