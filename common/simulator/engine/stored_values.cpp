#include "simulator/engine/stored_values.h"

#include <algorithm>
#include <cstring>

#include "simulator/engine/runtime.h"
#include "simulator/memory/device_memory.h"

namespace cusim {
namespace {

// Keeps each whole word that a kernel has stored.
void keepStored(const Allocation& from, std::size_t offset, std::size_t bytes) {
    if (!StoredValues::wanted) return;
    const DeviceMemory::Access access;  // pages may be closed to the host
    const char* const memory = reinterpret_cast<const char*>(from.base);
    for (std::size_t at = offset; at + 4 <= offset + bytes; at += 4) {
        if (!from.stored[at / 4]) continue;
        std::uint32_t word;
        std::memcpy(&word, memory + at, sizeof word);
        Runtime::instance().storedValues.add(word);
    }
}

}  // namespace

void StoredValues::add(std::uint32_t word) {
    words_.push_back(word);
    // Sorting removes repeats, so copying the same values again and again takes no more memory.
    constexpr std::size_t kSome = std::size_t{1} << 20;
    if (words_.size() > std::max(kSome, 2 * sorted_)) sort();
}

const std::vector<std::uint32_t>& StoredValues::all() {
    if (sorted_ < words_.size()) sort();
    return words_;
}

void StoredValues::replace(std::vector<std::uint32_t> words) {
    words_ = std::move(words);
    sorted_ = 0;
}

void StoredValues::sort() {
    std::sort(words_.begin(), words_.end());
    words_.erase(std::unique(words_.begin(), words_.end()), words_.end());
    sorted_ = words_.size();
}

void keepCopied(const Allocation& from, const void* source, std::size_t bytes) {
    if (!from.stored || from.hostMayAccess()) return;
    keepStored(from, from.offsetOf(source), bytes);
}

void keepSharedWithHost() {
    for (const auto& allocation : DeviceMemory::instance().allocations()) {
        if (!allocation->live || !allocation->hostMayAccess() || !allocation->stored) continue;
        keepStored(*allocation, 0, allocation->bytes);
        std::memset(allocation->stored, 0, allocation->bytes / 4 + 1);
    }
}

void changeStored() {
    if (!options().changesStored) return;
    const DeviceMemory::Access access;
    for (const auto& allocation : DeviceMemory::instance().allocations()) {
        if (!allocation->live || !allocation->stored) continue;
        auto* const memory = reinterpret_cast<unsigned char*>(allocation->base);
        for (std::size_t at = 0; at + 4 <= allocation->bytes; at += 4)
            if (allocation->stored[at / 4]) memory[at] ^= 1;
    }
}

void noteCopied(Allocation* to, const void* target, const Allocation* from, const void* source,
                std::size_t bytes) {
    if (!to || !to->stored || bytes == 0) return;
    const std::size_t first = to->offsetOf(target) / 4;
    const std::size_t words = (to->offsetOf(target) + bytes - 1) / 4 - first + 1;
    const bool known = StoredValues::wanted && from && from->stored && !from->hostMayAccess();
    if (known && to->hostMayAccess()) keepStored(*from, from->offsetOf(source), bytes);
    if (known && !to->hostMayAccess())
        std::memmove(to->stored + first, from->stored + from->offsetOf(source) / 4, words);
    else
        std::memset(to->stored + first, 0, words);
}

std::size_t notStoredByKernels(const float* values, std::size_t count) {
    const std::vector<std::uint32_t>& stored = Runtime::instance().storedValues.all();
    std::size_t missing = 0;
    for (std::size_t i = 0; i < count; ++i) {
        std::uint32_t word;
        std::memcpy(&word, &values[i], sizeof word);
        // A zero may come from memory that was set to zero and to which nothing was added.
        if (values[i] == 0.0f || std::binary_search(stored.begin(), stored.end(), word)) continue;
        ++missing;
    }
    return missing;
}

}  // namespace cusim
