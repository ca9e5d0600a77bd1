// The warp matrix functions of mma.h that fill, load and store a fragment. Each lane loads and
// stores its own elements, which the observers see like any other access. These functions have a
// frame on the stack, because a store to a fragment needs it (see looks.h).
#include "simulator/include/cusim/fragments.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "simulator/engine/block_runner.h"
#include "simulator/hooks/fragment_part.h"
#include "simulator/memory/device_memory.h"
#include "simulator/memory/element_names.h"

namespace cusim {
namespace {

constexpr std::size_t kTileAlignment = 32, kRowAlignment = 16;  // bytes

// CUDA's guide requires 32 bytes for all types. NVIDIA's own program with 8-bit numbers (the sample
// immaTensorCoreGemm) advances through its tiles by 16.
std::size_t tileAlignment(std::size_t elementSize) {
    return elementSize == 1 ? kRowAlignment : kTileAlignment;
}

// The tile that a warp loads or stores.
struct Tile {
    const char* function;
    std::uintptr_t address;
    unsigned leading;
    bool byColumns, stores;
    std::size_t size;  // of an element
    Where at;
};

// Refuses what a card refuses: rows and tiles that begin at odd addresses.
void refuseMisaligned(const Tile& tile) {
    Worker& worker = *cusimWorker;
    const std::size_t ofRow = kRowAlignment / tile.size;
    if (tile.leading % ofRow != 0)
        worker.runner->fail(
            {"misaligned",
             joined("misaligned: the leading dimension of ", tile.function, " is ",
                    counted(tile.leading, "element"), ", which is no multiple of ", ofRow),
             tile.at,
             joined("Each row (or column) must begin at a multiple of 16 bytes: let the matrix in "
                    "memory have rows of a multiple of ",
                    ofRow, " elements.")});
    // A card aligns the arrays themselves.
    const std::uintptr_t inThreadLocals = tile.address - worker.threadLocals;
    const bool isShared = inThreadLocals < worker.threadLocalBytes;
    const std::uint32_t array = isShared ? worker.sharedOwner[inThreadLocals] : 0;
    const Allocation* const allocation =
        isShared ? nullptr : DeviceMemory::instance().find(reinterpret_cast<void*>(tile.address));
    if (!allocation && array == 0) return;
    const std::uintptr_t offset =
        isShared ? inThreadLocals - worker.shared[array].start : tile.address - allocation->base;
    const std::size_t alignment = tileAlignment(tile.size);
    if (offset % alignment == 0) return;
    const std::string name = arrayName(isShared, isShared ? array : allocation->id);
    Finding finding("misaligned",
                    joined("misaligned: the tile of ", tile.function, " begins ", offset,
                           " bytes after ", name, ", which is no multiple of ", alignment),
                    tile.at,
                    joined("Let each tile begin at a multiple of ", alignment, " bytes (",
                           counted(alignment / tile.size, "element"),
                           "): check the index of its first element, and the length of a row."));
    if (isShared) finding.access = joined(tile.stores ? "writes " : "reads ", name);
    worker.runner->fail(finding);
}

// Waits for the other lanes, and checks that all of them mean this tile.
void meetAt(const Tile& tile) {
    const std::uint64_t given =
        (tile.address ^ tile.leading * 0x9E3779B97F4A7C15u) << 1 | tile.byColumns;
    const WarpValues& all = meet(tile.function, given, tile.at);
    Worker& worker = *cusimWorker;
    if (tile.address - worker.stackLow < worker.stackBytes)
        worker.runner->fail(
            {"warp-arguments",
             joined("the tile of ", tile.function, " is in the thread's own memory"), tile.at,
             "Put the tile into shared or global memory, which all lanes of the warp can use."});
    const auto other = std::find_if(std::begin(all.value), std::end(all.value),
                                    [&](std::uint64_t value) { return value != all.value[0]; });
    if (other != std::end(all.value))
        worker.runner->fail(
            {"warp-arguments",
             joined("the lanes of a warp give ", tile.function, " different arguments"),
             tile.at,
             "Give all lanes the pointer to the first element of the warp's tile, one leading "
             "dimension and one layout. Compute them from the index of the warp, not of the "
             "thread: each lane finds its elements by itself.",
             {joined("lane 0 and lane ", other - std::begin(all.value), " differ")}});
    refuseMisaligned(tile);
}

// Calls `work` for the elements of a lane, with their addresses.
template <class Work>
void eachInMemory(const Part& part, const Tile& tile, Work work) {
    const unsigned lane = cusimWorker->runner->lane();
    for (int i = 0; i < part.distinct(); ++i) {
        const auto [row, column] = part.position(lane, i);
        const auto apart = static_cast<std::size_t>(tile.byColumns ? column : row);
        const auto within = static_cast<std::size_t>(tile.byColumns ? row : column);
        const std::size_t offset = (apart * tile.leading + within) * tile.size;
        work(i, reinterpret_cast<char*>(tile.address + offset));
    }
}

}  // namespace

void makeFragment(const Fragment& fragment, const void* place) {
    const Part part(fragment);
    part.announce(AccessKind::Store, place);
    const std::uint64_t unset = unsetElement(part.size());
    for (int i = 0; i < part.distinct(); ++i) part.set(i, &unset);
    *fragment.isSet = false;
}

void fillFragment(const Fragment& fragment, const void* value, const void* place) {
    const Part part(fragment);
    part.announce(AccessKind::Store, place);
    for (int i = 0; i < part.distinct(); ++i) part.set(i, value);
    *fragment.isSet = true;
}

void loadFragment(const Fragment& fragment, const void* from, unsigned leading, bool byColumns,
                  Where at, const void* place) {
    const Part part(fragment);
    const auto first = reinterpret_cast<std::uintptr_t>(from);
    const Tile tile{"load_matrix_sync", first, leading, byColumns, false, part.size(), at};
    meetAt(tile);
    part.announce(AccessKind::Store, place);
    eachInMemory(part, tile, [&](int i, const char* address) {
        access(address, part.size(), AccessKind::Load, place);
        part.set(i, address);
    });
    *fragment.isSet = true;
}

void storeFragment(void* to, const Fragment& fragment, unsigned leading, bool byColumns, Where at,
                   const void* place) {
    const Part part(fragment);
    const auto first = reinterpret_cast<std::uintptr_t>(to);
    const Tile tile{"store_matrix_sync", first, leading, byColumns, true, part.size(), at};
    meetAt(tile);
    part.announce(AccessKind::Load, place);
    refuseUnset(fragment, tile.function, "the fragment", at);
    eachInMemory(part, tile, [&](int i, char* address) {
        access(address, part.size(), AccessKind::Store, place);
        std::memcpy(address, part.at(i), part.size());
    });
}

}  // namespace cusim
