// The warp matrix functions of mma.h. Each lane loads and stores its own elements, which the
// observers see like any other access. A product is computed by the lane that goes on first. These
// functions have a frame on the stack, as a store to a fragment asks for it (see looks.h).
#include "simulator/include/cusim/fragments.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "simulator/engine/block_runner.h"
#include "simulator/findings/source_lines.h"
#include "simulator/hooks/hooks.h"
#include "simulator/include/cusim/small_formats.h"
#include "simulator/include/cusim/warp.h"
#include "simulator/memory/device_memory.h"
#include "simulator/memory/element_names.h"
#include "simulator/memory/unset.h"

namespace cusim {
namespace {

constexpr unsigned kLanes = 32, kAllLanes = ~0u;
constexpr std::size_t kTileAlignment = 32, kRowAlignment = 16;  // bytes

// CUDA's guide wants 32 bytes for all types. NVIDIA's own program with 8-bit numbers (the sample
// immaTensorCoreGemm) steps through its tiles by 16.
std::size_t tileAlignment(std::size_t elementSize) {
    return elementSize == 1 ? kRowAlignment : kTileAlignment;
}

std::size_t sizeOf(ElementType type) {
    switch (type) {
        case ElementType::SignedChar:
        case ElementType::UnsignedChar:
            return 1;
        case ElementType::Half:
        case ElementType::Bfloat16:
            return 2;
        case ElementType::Double:
            return 8;
        default:
            return 4;
    }
}

// An element that nothing has set: no number if the type has such values.
std::uint64_t unsetElement(std::size_t size) {
    return size == 8   ? 0x7FFDC0DE7FE5C0DEu
           : size == 4 ? kUnsetLocalWord
           : size == 2 ? 0x7FE5u
                       : 0xA5u;
}

// One lane's fragment.
class Part {
  public:
    explicit Part(const Fragment& fragment)
        : own_(fragment),
          size_(sizeOf(fragment.type)),
          distinct_(fragment.rows * fragment.columns / static_cast<int>(kLanes)) {}

    std::size_t size() const { return size_; }
    // The elements without those that are held again.
    int distinct() const { return distinct_; }
    char* at(int i) const {
        return static_cast<char*>(own_.elements) + static_cast<std::size_t>(i) * size_;
    }
    void announce(AccessKind kind, const void* place) const {
        unannounced(own_.elements, static_cast<std::size_t>(own_.count) * size_, kind, place);
        unannounced(own_.isSet, 1, kind, place);
    }
    void set(int i, const void* value) const {
        for (int held = i; held < own_.count; held += distinct_)
            std::memcpy(at(held), value, size_);
    }
    // Tests whether the kernel has left out an element. A byte may have any value by chance.
    bool isUnset() const {
        if (*own_.isSet) return false;
        const std::uint64_t unset = unsetElement(size_);
        int count = 0;
        for (int i = 0; i < own_.count; ++i) count += std::memcmp(at(i), &unset, size_) == 0;
        return size_ == 1 ? count == own_.count : count > 0;
    }

    // Returns the row and the column of an element. CUDA leaves them open. Here no lane has the
    // element with its own number, nor the same ones in A, B and an accumulator: a kernel that
    // relies on either, or leaves out a __syncwarp(), is wrong here, too. Together, the i-th
    // elements of all lanes are side by side in memory.
    std::pair<int, int> position(unsigned lane, int i) const {
        const int step = i % distinct_;
        const unsigned shift = 2 * static_cast<unsigned>(step) + 10 * unsigned(own_.role) + 1;
        const int number =
            static_cast<int>(kLanes) * step + static_cast<int>((5 * lane + shift) % kLanes);
        if (own_.byColumns) return {number % own_.rows, number / own_.rows};
        return {number / own_.columns, number % own_.columns};
    }

  private:
    const Fragment& own_;
    std::size_t size_;
    int distinct_;
};

// Waits for the other lanes of the warp. Returns what each has given.
const WarpValues& meet(const char* function, std::uint64_t given, const Where& at) {
    if (!cusimWorker) exchange(kAllLanes, given, at);  // ends a host that calls it, with a sentence
    const char here = 0;
    cusimWorker->noteStack(&here, 4096);
    const WarpValues& all = cusimWorker->runner->exchange(kAllLanes, given, at, false, true);
    if (all.active == kAllLanes) return all;
    const unsigned lanes = static_cast<unsigned>(__builtin_popcount(all.active));
    cusimWorker->runner->fail(
        {"barrier-divergence",
         joined(function, " is a function of a whole warp, but only ", counted(lanes, "lane"),
                lanes == 1 ? " reaches it" : " reach it"),
         at,
         "Let all 32 lanes of the warp reach the call: launch blocks with a multiple of 32 "
         "threads, and let no thread return before it."});
}

// Where a warp loads or stores a tile.
struct Tile {
    const char* function;
    std::uintptr_t address;
    unsigned leading;
    bool byColumns;
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
    if (offset % alignment != 0)
        worker.runner->fail(
            {"misaligned",
             joined("misaligned: the tile of ", tile.function, " begins ", offset, " bytes after ",
                    arrayName(isShared, isShared ? array : allocation->id),
                    ", which is no multiple of ", alignment),
             tile.at,
             joined("Let each tile begin at a multiple of ", alignment, " bytes (",
                    counted(alignment / tile.size, "element"),
                    "): check the index of its first element, and the length of a row.")});
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

// Goes through the elements of a lane, with their addresses.
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

void refuseUnset(const Fragment& fragment, const char* function, const char* name,
                 const Where& at) {
    if (!Part(fragment).isUnset()) return;
    cusimWorker->runner->fail(
        {"unset-read",
         joined(function, " reads ", name, " before it is set"),
         at,
         "A fragment has no value at first. Call fill_fragment(), as with 0.0f for a sum, or "
         "load_matrix_sync() before this line, or set all its elements x[i].",
         {"the warp reads an element of the fragment that nothing has set"}});
}

// What the lanes give a product; the first of them to go on computes that of all.
struct Product {
    Fragment d, a, b, c;
    bool saturates;
    bool isDone = false;
};

template <class Number>
Number as(const void* bytes) {
    Number number;
    std::memcpy(&number, bytes, sizeof number);
    return number;
}

template <class Sum>
Sum valueOf(ElementType type, const char* at) {
    switch (type) {
        case ElementType::Half:
            return Sum(smallValue<HalfFormat>(as<unsigned short>(at)));
        case ElementType::Bfloat16:
            return Sum(smallValue<BfloatFormat>(as<unsigned short>(at)));
        case ElementType::Tf32: {  // as a card, which leaves out the other bits
            const unsigned bits = as<unsigned>(at) & ~0x1fffu;
            return Sum(as<float>(&bits));
        }
        case ElementType::Float:
            return Sum(as<float>(at));
        case ElementType::Double:
            return Sum(as<double>(at));
        case ElementType::SignedChar:
            return Sum(as<signed char>(at));
        case ElementType::UnsignedChar:
            return Sum(as<unsigned char>(at));
        case ElementType::Int:
            return Sum(as<std::int32_t>(at));
    }
    return 0;
}

void setValue(const Part& part, int i, ElementType type, double sum, bool) {
    const unsigned short half = smallBits<HalfFormat>(sum);
    const auto single = static_cast<float>(sum);
    part.set(i, type == ElementType::Half     ? static_cast<const void*>(&half)
                : type == ElementType::Double ? static_cast<const void*>(&sum)
                                              : &single);
}
void setValue(const Part& part, int i, ElementType, std::int64_t sum, bool saturates) {
    using Limits = std::numeric_limits<std::int32_t>;
    if (saturates) sum = std::clamp<std::int64_t>(sum, Limits::min(), Limits::max());
    const auto wrapped = static_cast<std::int32_t>(sum);
    part.set(i, &wrapped);
}

// Returns a matrix by rows, from the parts of all lanes.
template <class Sum>
std::vector<Sum> gathered(Product* const* lanes, Fragment Product::*which) {
    const Fragment& first = lanes[0]->*which;
    std::vector<Sum> matrix(static_cast<std::size_t>(first.rows) * first.columns);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
        const Part part(lanes[lane]->*which);
        for (int i = 0; i < part.distinct(); ++i) {
            const auto [row, column] = part.position(lane, i);
            matrix[row * first.columns + column] = valueOf<Sum>(first.type, part.at(i));
        }
    }
    return matrix;
}

// Adds each product of two elements to that of c, in the order of k, and rounds at the end. Doubles
// hold the products of all other types; each of their own is fused with its sum, as on a card.
template <class Sum>
void multiplyAll(Product* const* lanes) {
    const Product& first = *lanes[0];
    const int n = first.d.columns, k = first.a.columns;
    const std::vector<Sum> a = gathered<Sum>(lanes, &Product::a);
    const std::vector<Sum> b = gathered<Sum>(lanes, &Product::b);
    const std::vector<Sum> c = gathered<Sum>(lanes, &Product::c);
    const bool fuses = first.a.type == ElementType::Double;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
        const Part part(lanes[lane]->d);
        for (int i = 0; i < part.distinct(); ++i) {
            const auto [row, column] = part.position(lane, i);
            Sum sum = c[row * n + column];
            for (int step = 0; step < k; ++step) {
                const Sum x = a[row * k + step], y = b[step * n + column];
                if constexpr (std::is_same_v<Sum, double>)
                    sum = fuses ? std::fma(x, y, sum) : sum + x * y;
                else
                    sum += x * y;
            }
            setValue(part, i, first.d.type, sum, first.saturates);
        }
        *lanes[lane]->d.isSet = true;
        lanes[lane]->isDone = true;
    }
    ++cusimWorker->tensorOperations;
    cusimWorker->tensorFlop += std::uint64_t{2} * first.d.rows * n * k;
}

bool hasSameTypes(const Product& one, const Product& other) {
    const auto same = [&](Fragment Product::*which) {
        const Fragment &a = one.*which, &b = other.*which;
        return a.type == b.type && a.role == b.role && a.rows == b.rows && a.columns == b.columns;
    };
    return same(&Product::a) && same(&Product::c) && same(&Product::d) &&
           one.saturates == other.saturates;
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
    const Tile tile{"load_matrix_sync", first, leading, byColumns, part.size(), at};
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
    const Tile tile{"store_matrix_sync", first, leading, byColumns, part.size(), at};
    meetAt(tile);
    part.announce(AccessKind::Load, place);
    refuseUnset(fragment, tile.function, "the fragment", at);
    eachInMemory(part, tile, [&](int i, char* address) {
        access(address, part.size(), AccessKind::Store, place);
        std::memcpy(address, part.at(i), part.size());
    });
}

void multiplyFragments(const Fragment& d, const Fragment& a, const Fragment& b, const Fragment& c,
                       bool saturates, Where at, const void* place) {
    for (const Fragment* const read : {&a, &b, &c}) Part(*read).announce(AccessKind::Load, place);
    Part(d).announce(AccessKind::Store, place);
    Product own{d, a, b, c, saturates};
    const WarpValues& all = meet("mma_sync", reinterpret_cast<std::uintptr_t>(&own), at);
    if (own.isDone) return;
    Product* lanes[kLanes];
    for (unsigned lane = 0; lane < kLanes; ++lane) {
        lanes[lane] = reinterpret_cast<Product*>(static_cast<std::uintptr_t>(all.value[lane]));
        if (!hasSameTypes(*lanes[lane], own))
            cusimWorker->runner->fail({"warp-arguments",
                                       "the lanes of a warp give mma_sync fragments of other types",
                                       at, "Let all lanes of a warp call the same mma_sync."});
        refuseUnset(lanes[lane]->a, "mma_sync", "the fragment of matrix_a", at);
        refuseUnset(lanes[lane]->b, "mma_sync", "the fragment of matrix_b", at);
        refuseUnset(lanes[lane]->c, "mma_sync", "the accumulator that it adds to", at);
    }
    if (d.type == ElementType::Int)
        multiplyAll<std::int64_t>(lanes);
    else
        multiplyAll<double>(lanes);
}

}  // namespace cusim
