#include "simulator/engine/host_memory.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "simulator/engine/host_blocks.h"
#include "simulator/engine/runtime.h"
#include "simulator/memory/element_names.h"

namespace cusim {
namespace {

// Bounds of the tests' buffers, so that an overlong copy is reported and does not crash the test
// program.
struct Buffer {
    const void* start;
    std::size_t bytes;
};
std::vector<Buffer>& buffers() {
    static auto* const all = new std::vector<Buffer>;
    return *all;
}

// Returns the first offset of a copy of these bytes in `memory`, from `from` on; nothing if there
// is none. Device memory is aligned to floats, as is `from`.
std::optional<std::size_t> offsetIn(const char* memory, std::size_t bytes, std::size_t from,
                                    const char* wanted, std::size_t size) {
    std::uint32_t first = 0, here = 0;
    std::memcpy(&first, wanted, std::min(size, sizeof first));
    while (from + size <= bytes) {
        // Few places begin like that, and memmem takes long over a large memory.
        if (size >= sizeof first) std::memcpy(&here, memory + from, sizeof here);
        if (size >= sizeof first && here != first) {
            from += sizeof(float);
            continue;
        }
        const void* const found = memmem(memory + from, bytes - from, wanted, size);
        if (!found) return {};
        const auto offset = static_cast<std::size_t>(static_cast<const char*>(found) - memory);
        if (offset % sizeof(float) == 0) return offset;
        from = offset + sizeof(float) - offset % sizeof(float);
    }
    return {};
}

// Finds a matrix in a memory, with rows of their length or of a pitch.
std::optional<Placed> findIn(const char* memory, std::size_t bytes, const Buffer& buffer,
                             int allocation) {
    const auto* const host = static_cast<const char*>(buffer.start);
    const std::size_t width = describedColumns(host) * sizeof(float);
    const bool fitsAtStart = bytes < buffer.bytes + sizeof(float);
    if (fitsAtStart && (width == 0 || buffer.bytes % width == 0)) {
        if (bytes < buffer.bytes || std::memcmp(memory, host, buffer.bytes) != 0) return {};
        return Placed{host, allocation, 0, buffer.bytes, buffer.bytes, buffer.bytes};
    }
    if (const auto offset = offsetIn(memory, bytes, 0, host, buffer.bytes))
        return Placed{host, allocation, *offset, buffer.bytes, buffer.bytes, buffer.bytes};
    if (width == 0 || buffer.bytes <= width) return {};
    const auto first = offsetIn(memory, bytes, 0, host, width);
    if (!first) return {};
    const auto second = offsetIn(memory, bytes, *first + width, host + width, width);
    if (!second) return {};
    const std::size_t pitch = *second - *first, rows = buffer.bytes / width;
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t at = *first + row * pitch;
        if (at + width > bytes || std::memcmp(memory + at, host + row * width, width) != 0)
            return {};
    }
    return Placed{host, allocation, *first, buffer.bytes, width, pitch};
}

std::vector<std::uint32_t> wordsAt(const Placed& place, const std::vector<std::uint32_t>& all) {
    std::vector<std::uint32_t> words;
    if (all.empty()) return words;
    for (std::size_t byte = 0; byte < place.bytes; byte += sizeof(float)) {
        const std::size_t at =
            (place.offset + byte / place.width * place.pitch + byte % place.width) / sizeof(float);
        words.push_back(at < all.size() ? all[at] : 0);
    }
    return words;
}

bool isMatrix(const void* host) {
    return std::any_of(buffers().begin(), buffers().end(),
                       [&](const Buffer& buffer) { return buffer.start == host; });
}

// Returns whether the addresses of a copy from the host determine where a launch finds this matrix,
// or that it finds another one at this place.
bool addressesTell(const LaunchReport& launch, const Placed& place) {
    return std::any_of(launch.arrays.begin(), launch.arrays.end(), [&](const ArrayReport& array) {
        return array.copiedFrom == place.host || (array.allocation == place.allocation &&
                                                  place.offset == 0 && isMatrix(array.copiedFrom));
    });
}

bool isReceived(const void* host) {
    const auto& launches = Runtime::instance().launches;
    return std::any_of(launches.begin(), launches.end(),
                       [&](const LaunchReport& launch) { return launch.copiedInto(host); });
}

}  // namespace

void (*moveBytes)(void*, const void*, std::size_t) = [](void* target, const void* source,
                                                        std::size_t bytes) {
    std::memmove(target, source, bytes);
};

void describeHostMemory(const void* start, std::size_t bytes) {
    if (bytes > 0) buffers().push_back({start, bytes});
}
void forgetHostMemory() { buffers().clear(); }

std::optional<std::size_t> hostBytesFrom(const void* pointer, std::size_t bytes) {
    for (const Buffer& buffer : buffers()) {
        const std::size_t offset = reinterpret_cast<std::uintptr_t>(pointer) -
                                   reinterpret_cast<std::uintptr_t>(buffer.start);
        if (offset < buffer.bytes) return buffer.bytes - offset;
    }
    return hostBlockFrom(pointer, bytes);
}

std::vector<Placed> placedInputs() {
    const DeviceMemory::Access access;
    std::vector<Placed> places;
    for (const Buffer& buffer : buffers())
        for (const auto& one : DeviceMemory::instance().allocations()) {
            if (!one->live || one->isVariable()) continue;
            const auto place = findIn(reinterpret_cast<const char*>(one->base), one->bytes, buffer,
                                      static_cast<int>(one->id));
            if (place) places.push_back(*place);
        }
    return places;
}

void notePlaced(LaunchReport& launch, const std::vector<Placed>& places, bool isInput) {
    const auto side = isInput ? &ArrayReport::copiedFrom : &ArrayReport::copiedTo;
    std::vector<const Placed*> noted;
    const auto isNoted = [&](const Placed& place) {
        return std::any_of(noted.begin(), noted.end(), [&](const Placed* other) {
            return other->host == place.host ||
                   (other->allocation == place.allocation && other->offset == place.offset);
        });
    };
    for (const Placed& place : places)
        for (const ArrayReport& whole : launch.arrays) {
            if (whole.allocation != place.allocation || isNoted(place)) continue;
            if (isInput && addressesTell(launch, place)) continue;
            ArrayReport array = whole;
            array.bytes = place.bytes;
            array.copiedFrom = array.copiedTo = nullptr;
            array.*side = place.host;
            array.elementLoads = wordsAt(place, whole.elementLoads);
            array.elementStores = wordsAt(place, whole.elementStores);
            const auto& words = isInput ? array.elementLoads : array.elementStores;
            const bool used = words.empty() || std::any_of(words.begin(), words.end(),
                                                           [](std::uint32_t n) { return n > 0; });
            if (!used) continue;
            noted.push_back(&place);
            launch.placed.push_back(std::move(array));
        }
}

void keepReceived(const Allocation& from, const void* source, std::size_t bytes) {
    constexpr std::size_t kMostBytes = std::size_t{64} << 20;
    if (buffers().empty() || from.isVariable() || from.bytes > kMostBytes) return;
    std::vector<char>& kept = Runtime::instance().received[static_cast<int>(from.id)];
    kept.resize(from.bytes);
    const DeviceMemory::Access access;
    std::memcpy(kept.data() + from.offsetOf(source), source, bytes);
}

void findReceived() {
    Runtime& runtime = Runtime::instance();
    for (const auto& one : DeviceMemory::instance().allocations())
        if (one->live && one->hostMayAccess())
            keepReceived(*one, reinterpret_cast<const void*>(one->base), one->bytes);
    std::vector<Placed> places;
    for (const Buffer& buffer : buffers()) {
        // The address of the first row also identifies pitched rows.
        const bool known = isReceived(buffer.start);
        for (const auto& [allocation, bytes] : runtime.received) {
            const auto place = findIn(bytes.data(), bytes.size(), buffer, allocation);
            if (place && !(known && place->pitch == place->width)) places.push_back(*place);
        }
    }
    for (LaunchReport& launch : runtime.launches) notePlaced(launch, places, false);
    runtime.received.clear();
}

}  // namespace cusim
