#include "simulator/memory/device_heap.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "simulator/memory/unset.h"

namespace cusim {

DeviceHeap& DeviceHeap::instance() {
    static auto* const heap = new DeviceHeap;  // outlives static destructors
    return *heap;
}

// Reserves less under a limit on address space (ulimit -v).
bool DeviceHeap::reserve() {
    for (std::size_t bytes = std::size_t{1} << 32; bytes >= 4 * kLimit; bytes /= 4) {
        void* const range = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (range == MAP_FAILED) continue;
        base_ = reinterpret_cast<std::uintptr_t>(range);
        reserved_ = bytes;
        next_ = base_ + kGap;
        return true;
    }
    return false;
}

void* DeviceHeap::take(std::size_t bytes, const void* place) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (bytes > limit_ - std::min(limit_, live_)) {
        refused_ = true;
        return nullptr;
    }
    if (reserved_ == 0 && !reserve()) return nullptr;
    const std::size_t space = (bytes + kAlignment - 1) / kAlignment * kAlignment + kGap;
    if (space > base_ + reserved_ - next_) return nullptr;
    const std::uintptr_t start = next_;
    next_ += space;
    live_ += bytes;
    blocks_.emplace(start, HeapBlock{start, bytes, place});
    fillUnset(reinterpret_cast<void*>(start), bytes);
    return reinterpret_cast<void*>(start);
}

std::optional<HeapBlock> DeviceHeap::give(const void* address, const void* place) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = blocks_.find(reinterpret_cast<std::uintptr_t>(address));
    if (found == blocks_.end()) return std::nullopt;
    const HeapBlock before = found->second;
    if (before.freedAt) return before;
    found->second.freedAt = place;
    live_ -= before.bytes;
    freed_.push_back(before.base);
    if (freed_.size() > kMostFreed) {
        blocks_.erase(freed_.front());
        freed_.pop_front();
    }
    return before;
}

bool DeviceHeap::holds(std::uintptr_t address, std::size_t bytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto behind = blocks_.upper_bound(address);
    if (behind == blocks_.begin()) return false;
    const HeapBlock& block = std::prev(behind)->second;
    return !block.freedAt && block.holds(address, bytes);
}

std::optional<HeapBlock> DeviceHeap::nearest(std::uintptr_t address) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto behind = blocks_.upper_bound(address);
    if (behind == blocks_.begin())
        return behind == blocks_.end() ? std::nullopt : std::optional(behind->second);
    const HeapBlock& below = std::prev(behind)->second;
    const std::uintptr_t end = below.base + below.bytes;
    const bool isBelow =
        behind == blocks_.end() || address < end || address - end <= behind->first - address;
    return isBelow ? below : behind->second;
}

// Calls a function with the bytes of each live block.
template <class Function>
void DeviceHeap::forEachLive(Function function) {
    open();
    for (const auto& [base, block] : blocks_)
        if (!block.freedAt) function(reinterpret_cast<char*>(base), block.bytes);
    close();
}

DeviceHeap::Copy DeviceHeap::copy() {
    const std::lock_guard<std::mutex> lock(mutex_);
    Copy copy{next_, live_, blocks_, freed_, {}};
    copy.bytes.reserve(live_);
    forEachLive([&](const char* live, std::size_t bytes) {
        copy.bytes.insert(copy.bytes.end(), live, live + bytes);
    });
    return copy;
}

void DeviceHeap::restore(const Copy& copy) {
    const std::lock_guard<std::mutex> lock(mutex_);
    next_ = copy.next == 0 && reserved_ != 0 ? base_ + kGap : copy.next;
    live_ = copy.live;
    blocks_ = copy.blocks;
    freed_ = copy.freed;
    const char* from = copy.bytes.data();
    forEachLive([&](char* live, std::size_t bytes) {
        std::memcpy(live, from, bytes);
        from += bytes;
    });
}

void DeviceHeap::reset() {
    const std::lock_guard<std::mutex> lock(mutex_);
    limit_ = kLimit;
    refused_ = false;
    if (reserved_ == 0) return;
    madvise(reinterpret_cast<void*>(base_.load()), next_ - base_, MADV_DONTNEED);
    blocks_.clear();
    freed_.clear();
    live_ = 0;
    next_ = base_ + kGap;
}

void DeviceHeap::setLimit(std::size_t bytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    limit_ = bytes;
}

void DeviceHeap::protect(bool usable) const {
    if (reserved_ == 0) return;
    mprotect(reinterpret_cast<void*>(base_.load()), reserved_,
             usable ? PROT_READ | PROT_WRITE : PROT_NONE);
}

}  // namespace cusim
