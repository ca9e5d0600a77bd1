// The heap of the device, from which a kernel takes memory by new or malloc. Blocks that no kernel
// frees stay until the next reset, as on a card. Races and uninitialized reads are not detected
// here, and accesses count as those to a thread's own memory.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace cusim {

struct HeapBlock {
    std::uintptr_t base;
    std::size_t bytes;
    const void* takenAt;  // return addresses
    const void* freedAt = nullptr;

    bool holds(std::uintptr_t address, std::size_t size) const {
        return address - base < bytes && size <= bytes - (address - base);
    }
};

class DeviceHeap {
  public:
    static DeviceHeap& instance();

    // Returns null if the limit leaves too little (cudaLimitMallocHeapSize, 8 MiB unless set).
    void* take(std::size_t bytes, const void* place);
    // Frees the block that starts at the address. Returns the block before that: with freedAt if it
    // had been freed already; nothing if there never was one.
    std::optional<HeapBlock> give(const void* address, const void* place);

    // The live blocks with their bytes, one after the other.
    struct Copy {
        std::uintptr_t next;
        std::size_t live;
        std::map<std::uintptr_t, HeapBlock> blocks;
        std::deque<std::uintptr_t> freed;
        std::vector<char> bytes;
    };
    Copy copy();
    void restore(const Copy& copy);
    // Tests whether a kernel has asked for more than was left since the last reset.
    bool hasRefused() const { return refused_; }
    // Returns the bytes of the live blocks.
    std::size_t liveBytes() const { return live_; }
    bool mayHold(std::uintptr_t address) const { return address - base_ < reserved_; }
    // Tests whether a live block holds all bytes.
    bool holds(std::uintptr_t address, std::size_t bytes);
    // Returns the block that is nearest to the address, live or freed.
    std::optional<HeapBlock> nearest(std::uintptr_t address);

    // Lets kernels use the memory; no other code may.
    void open() const { protect(true); }
    void close() const { protect(false); }
    void reset();
    // Sets how many bytes kernels may hold at once, until the next reset.
    void setLimit(std::size_t bytes);

  private:
    static constexpr std::size_t kLimit = std::size_t{8} << 20;
    static constexpr std::size_t kAlignment = 16, kGap = 256, kMostFreed = 100000;

    bool reserve();
    template <class Function>
    void forEachLive(Function function);
    void protect(bool usable) const;

    std::mutex mutex_;
    std::atomic<std::uintptr_t> base_{0};
    std::atomic<std::size_t> reserved_{0};  // 0 until a kernel takes memory
    std::uintptr_t next_ = 0;               // no address is used twice, as in DeviceMemory
    std::size_t live_ = 0, limit_ = kLimit;
    std::atomic<bool> refused_{false};
    std::map<std::uintptr_t, HeapBlock> blocks_;  // by base
    std::deque<std::uintptr_t> freed_;
};

}  // namespace cusim
