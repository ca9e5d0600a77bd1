#include "simulator/memory/element_names.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <mutex>

#include "simulator/include/cusim/shared_shapes.h"
#include "simulator/memory/shared_memory.h"
#include "simulator/memory/symbols.h"
#include "simulator/simulator.h"

namespace cusim {
namespace {

// One per shared array of the program; `known` is set last.
struct SharedEntry {
    std::atomic<bool> known{false};
    ArrayShape shape{};
    detail::Members members = nullptr;
    Paddings paddings;

    void notePadding() {
        if (members) paddings.note(0, shape.elementBytes, members);
    }
};
std::deque<SharedEntry>& sharedEntries() {
    static auto* const all =
        new std::deque<SharedEntry>(SharedMemoryMap::instance().arrays().size());
    return *all;
}

// Shared by all threads: launches do not overlap, and the threads of one use the same name.
std::atomic<const char*> dynamicName{nullptr};
std::atomic<std::size_t> dynamicRowBytes{4};
constexpr std::size_t kDynamic = 1;  // see SharedMemoryMap

struct HostMatrix {
    const void* host;
    std::size_t rows, cols;

    std::size_t elements() const { return rows * cols; }
    ArrayShape shape() const { return {sizeof(float), {rows, cols}}; }
};
// The newest comes first; older ones are forgotten, because their memory may be freed.
constexpr std::size_t kMostMatrices = 8;
std::deque<HostMatrix>& hostMatrices() {
    static auto* const all = new std::deque<HostMatrix>;
    return *all;
}

IndexNames& namesOfIndices() {
    static auto* const names = new IndexNames;
    return *names;
}

}  // namespace

void nameIndices(const std::string& row, const std::string& column) {
    namesOfIndices() = {row, column};
}

const IndexNames& indexNames() { return namesOfIndices(); }

void noteSharedShape(const volatile void* array, std::size_t elementBytes,
                     const std::size_t* extents, int dimensions, detail::Members members) {
    const std::size_t offset = reinterpret_cast<std::uintptr_t>(array) - threadLocalBase();
    if (offset >= threadLocalBytes()) return;
    SharedEntry& entry = sharedEntries()[SharedMemoryMap::instance().owner(offset)];
    if (entry.known.load(std::memory_order_acquire)) return;
    static std::mutex mutex;
    const std::lock_guard<std::mutex> lock(mutex);
    if (entry.known.load(std::memory_order_relaxed)) return;
    entry.shape = {elementBytes, {extents, extents + dimensions}};
    entry.members = members;
    entry.notePadding();
    entry.known.store(true, std::memory_order_release);
}

void noteDynamicShared(const char* name, std::size_t rowBytes) {
    dynamicName.store(name, std::memory_order_relaxed);
    dynamicRowBytes.store(rowBytes, std::memory_order_relaxed);
}

void notePaddingOfShared(std::size_t offset, std::size_t elementBytes, detail::Members members) {
    if (offset >= threadLocalBytes()) return;
    const SharedMemoryMap& map = SharedMemoryMap::instance();
    const std::uint16_t array = map.owner(offset);
    sharedEntries()[array].paddings.note(offset - map.arrays()[array].offset, elementBytes,
                                         members);
}

void forgetNotedOfShared() {
    noteDynamicShared(nullptr, 4);
    for (SharedEntry& entry : sharedEntries()) {
        entry.paddings.forget();
        entry.notePadding();
    }
}

std::optional<ArrayShape> sharedShape(std::size_t array) {
    if (array == kDynamic && dynamicName.load()) return ArrayShape{dynamicRowBytes.load(), {0}};
    const SharedEntry& entry = sharedEntries()[array];
    if (!entry.known.load(std::memory_order_acquire) || entry.shape.extents.empty())
        return std::nullopt;
    return entry.shape;
}

bool isPaddingOfShared(std::size_t array, std::size_t offset) {
    return sharedEntries()[array].paddings.has(offset);
}

void describeMatrix(const void* host, int rows, int cols) {
    std::deque<HostMatrix>& all = hostMatrices();
    all.push_front({host, static_cast<std::size_t>(rows), static_cast<std::size_t>(cols)});
    if (all.size() > kMostMatrices) all.pop_back();
}
std::size_t describedColumns(const void* host) {
    for (const HostMatrix& matrix : hostMatrices())
        if (matrix.host == host) return matrix.cols;
    return 0;
}

void forgetMatrices() { hostMatrices().clear(); }

std::optional<ArrayShape> matrixShape(const Allocation& allocation) {
    std::optional<ArrayShape> bySize;
    bool ambiguous = false;
    for (const HostMatrix& matrix : hostMatrices()) {
        const bool copied = matrix.host && (allocation.copiedFrom == matrix.host ||
                                            allocation.copiedTo == matrix.host);
        const bool sameSize = matrix.elements() * sizeof(float) == allocation.ownBytes();
        // An allocation that differs in size from the copied matrix has no matrix's shape.
        if (copied) return sameSize ? std::optional(matrix.shape()) : std::nullopt;
        if (!sameSize) continue;
        ambiguous |= bySize && bySize->extents[1] != matrix.cols;
        bySize = matrix.shape();
    }
    return ambiguous ? std::nullopt : bySize;
}

std::size_t leastExtent() {
    std::size_t least = hostMatrices().empty() ? 0 : SIZE_MAX;
    for (const HostMatrix& matrix : hostMatrices())
        least = std::min({least, matrix.rows, matrix.cols});
    return least;
}

std::size_t mostExtent() {
    std::size_t most = 0;
    for (const HostMatrix& matrix : hostMatrices())
        most = std::max({most, matrix.rows, matrix.cols});
    return most;
}

std::size_t leastElements() {
    std::size_t least = hostMatrices().empty() ? 0 : SIZE_MAX;
    for (const HostMatrix& matrix : hostMatrices()) least = std::min(least, matrix.elements());
    return least;
}

bool reachesOver(std::size_t width, std::size_t height) {
    return std::any_of(hostMatrices().begin(), hostMatrices().end(), [&](const HostMatrix& one) {
        return one.rows % height + one.cols % height + one.rows % width + one.cols % width > 0;
    });
}

std::optional<ArrayShape> shapeOfResult() {
    const auto& allocations = DeviceMemory::instance().allocations();
    std::optional<ArrayShape> found;
    for (const HostMatrix& matrix : hostMatrices()) {
        const bool isInput =
            matrix.host && std::any_of(allocations.begin(), allocations.end(), [&](const auto& a) {
                return a->live && a->copiedFrom == matrix.host;
            });
        if (isInput) continue;
        if (found && found->extents != matrix.shape().extents) return std::nullopt;
        found = matrix.shape();
    }
    return found;
}

std::optional<std::size_t> otherRowLength(const ArrayShape& matrix, std::size_t index,
                                          std::size_t x, std::size_t y) {
    const std::size_t rows = matrix.extents[0], columns = matrix.extents[1];
    // A thread's row is y, as in M, or its column is x, as in N.
    const auto fits = [&](std::size_t length) {
        const bool inRow = y > 0 && y < rows && index - y * length < columns;
        const bool inColumn = x < columns && (index - x) % columns != 0 &&
                              (index - x) % length == 0 && (index - x) / length < rows;
        return length > 1 && length != columns && (inRow || inColumn);
    };
    std::optional<std::size_t> found;
    for (const HostMatrix& one : hostMatrices())
        for (const std::size_t length : {one.rows, one.cols}) {
            if (!fits(length) || found == length) continue;
            if (found) return std::nullopt;
            found = length;
        }
    return found;
}

std::string ifSizeIsForgotten(const Allocation& allocation) {
    const std::size_t bytes = allocation.bytes;
    std::optional<ArrayShape> found;
    for (const HostMatrix& matrix : hostMatrices()) {
        if (matrix.elements() * sizeof(float) == bytes) return "";
        if (matrix.elements() == bytes) found = matrix.shape();
    }
    if (!found) return "";
    return words::joined(
        "A matrix of ", extentsText(*found), " floats takes ", bytes * sizeof(float),
        " bytes. Multiply by sizeof(float) in the allocation of ", label(allocation), ".");
}

std::string indices(const ArrayShape& shape, std::size_t offset) {
    std::size_t rest = offset / shape.elementBytes;
    std::string text;
    for (std::size_t d = shape.extents.size(); d-- > 0;) {
        const std::size_t here = d == 0 ? rest : rest % shape.extents[d];
        text.insert(0, words::joined("[", here, "]"));
        if (d > 0) rest /= shape.extents[d];
    }
    return text;
}

std::string rowAndColumn(const ArrayShape& shape, std::size_t offset) {
    const std::size_t index = offset / shape.elementBytes;
    return words::joined("row ", index / shape.extents[1], ", column ", index % shape.extents[1]);
}

std::string extentsText(const ArrayShape& shape) {
    std::string text;
    for (const std::size_t extent : shape.extents)
        text += words::joined(text.empty() ? "" : " x ", extent);
    return text;
}

std::string arrayName(bool shared, std::uint32_t array) {
    const char* const dynamic = dynamicName.load();
    if (shared && array == kDynamic && dynamic) return dynamic;
    if (shared) return SharedMemoryMap::instance().arrays()[array].name;
    const Allocation& allocation = *DeviceMemory::instance().allocations()[array];
    return allocation.name.empty() ? "device memory" : allocation.name;
}

std::string elementName(bool shared, std::uint32_t array, std::size_t offset) {
    const std::string name = arrayName(shared, array);
    if (shared) {
        if (const auto shape = sharedShape(array)) return name + indices(*shape, offset);
    } else if (const auto shape = matrixShape(*DeviceMemory::instance().allocations()[array])) {
        return words::joined(name, "[", offset / shape->elementBytes, "] (",
                             rowAndColumn(*shape, offset), ")");
    }
    return words::joined(name, "[", offset / 4, "] (counted in 4-byte words)");
}

}  // namespace cusim
