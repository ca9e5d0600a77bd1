#include "simulator/explain/out_of_bounds.h"

#include <algorithm>

#include "simulator/engine/block_runner.h"
#include "simulator/engine/runtime.h"
#include "simulator/explain/device_words.h"
#include "simulator/explain/named_array.h"
#include "simulator/explain/outside_device.h"
#include "simulator/explain/past_end.h"
#include "simulator/explain/told_parameter.h"
#include "simulator/findings/loops.h"
#include "simulator/findings/source_lines.h"
#include "simulator/include/cusim/builtins.h"
#include "simulator/memory/device_heap.h"
#include "simulator/memory/element_names.h"
#include "simulator/memory/symbols.h"

namespace cusim {
namespace {

// Counts in elements of the access's size if that divides the distance; otherwise in bytes.
std::string distance(std::size_t bytes, std::size_t size) {
    if (size > 1 && bytes % size == 0) return counted(bytes / size, "element");
    return counted(bytes, "byte");
}

std::string origin(const Allocation& allocation, std::size_t size) {
    const std::size_t bytes = allocation.ownBytes();
    const bool whole = size > 1 && bytes % size == 0;
    return joined(
        label(allocation), " holds ", counted(bytes, "byte"),
        whole ? joined(" (", counted(bytes / size, "element"), " of ", size, " bytes)") : "",
        ", allocated at ", text(allocation.at));
}

// Returns the size of the elements in which a report counts an index: that of floats, even if a
// float4 is accessed.
std::size_t elementOf(const Allocation& array, std::size_t bytes) {
    const auto shape = matrixShape(array);
    return shape && bytes % shape->elementBytes == 0 ? shape->elementBytes : bytes;
}

// Returns ", index -16" for a distance below an array.
std::string negativeIndex(std::size_t below, std::size_t size) {
    const bool whole = below % size == 0;
    return joined(", ", whole ? "index -" : "byte -", whole ? below / size : below);
}

void describeBelow(Finding& finding, const KernelCall& call, const Allocation& array,
                   std::size_t below, std::size_t bytes, const std::string& verbed) {
    finding.title = joined(verbed, " before the beginning of ", label(array),
                           negativeIndex(below, elementOf(array, bytes)));
    if (const auto shape = matrixShape(array)) {
        const std::size_t columns = shape->extents[1];
        const std::size_t index = (below + shape->elementBytes - 1) / shape->elementBytes;
        const std::size_t rows = (index + columns - 1) / columns;
        finding.details.push_back(joined("the first row is row 0, but this would be in row -", rows,
                                         ", column ", rows * columns - index, " of a matrix of ",
                                         counted(shape->extents[0], "row"), " and ",
                                         counted(columns, "column")));
    }
    finding.details.push_back(origin(array, elementOf(array, bytes)));
    finding.others = {array.at};
    explainNegative(finding, call);
}

// Describes an access whose line does not show which array it means; a live array below it is the
// farther one.
void describeBetween(Finding& finding, std::uintptr_t address, std::size_t bytes,
                     const std::string& verbed) {
    const Allocation* const below = DeviceMemory::instance().nearestBelow(address);
    const Allocation* const above = DeviceMemory::instance().nextLive(address);
    finding.title = verbed + " device memory outside of all arrays";
    if (above)
        finding.details.push_back(joined(distance(above->base - address, bytes),
                                         " before the beginning of ", label(*above),
                                         ", allocated at ", text(above->at)));
    if (below && below->live)
        finding.details.push_back(joined(distance(address - below->base - below->bytes, bytes),
                                         " past the end of ", label(*below), ", allocated at ",
                                         text(below->at)));
    finding.remedy = "Check the index: it is negative here, or too large.";
}

// Returns row and column of an index past the end. If the index of the array, by this name, begins
// with the thread's row, which is in the matrix, the column is too large.
std::string placeInMatrix(const Finding& finding, const KernelCall& call, const std::string& name,
                          const ArrayShape& shape, std::size_t offset) {
    const std::string& row = indexNames().row;
    const bool byRow =
        !name.empty() &&
        sourceLine(finding.file, finding.line).find(joined(name, "[", row, " * ")) != name.npos;
    const auto is = byRow ? indexValue(finding, call, row) : std::nullopt;
    if (!is || is->value < 0 || is->value >= static_cast<long long>(shape.extents[0]))
        return rowAndColumn(shape, offset);
    const std::size_t before = static_cast<std::size_t>(is->value) * shape.extents[1];
    const std::size_t index = offset / shape.elementBytes;
    return index < before + shape.extents[1] || index >= before + 2 * shape.extents[1]
               ? rowAndColumn(shape, offset)
               : joined("row ", is->value, ", column ", index - before);
}

void describeDevice(Finding& finding, const KernelCall& call, const Allocation& near,
                    std::uintptr_t address, std::size_t bytes, const std::string& verbed,
                    const std::string& name = "") {
    if (!near.live) {
        finding.kind = "use-after-free";
        finding.title = verbed + " " + label(near) + " after cudaFree";
        finding.details = {joined(origin(near, bytes), ", freed at ", text(near.freedAt))};
        finding.others = {near.at, near.freedAt};
        finding.remedy = "Free device memory only after the last kernel that uses it.";
        return;
    }
    if (address < near.base)
        return describeBelow(finding, call, near, near.base - address, bytes, verbed);
    const std::size_t offset = address - near.base;
    const std::size_t end = near.ownBytes();
    finding.title = verbed + " past the end of " + label(near);
    const std::size_t element = elementOf(near, bytes);
    const bool whole = offset % element == 0;
    const std::size_t index = whole ? offset / element : offset;
    if (offset < end)
        finding.details = {
            joined("index ", whole ? "" : "byte ", index, ", which is partly past the end")};
    else
        finding.details = {joined("index ", whole ? "" : "of byte ", index, " is ",
                                  offset == end ? "the first one" : distance(offset - end, element),
                                  " past the end of the array")};
    const std::string wrong = wrongIndex(finding, call, near, bytes, finding.causedAt);
    if (const auto shape = matrixShape(near); shape && wrong.empty())
        finding.details.push_back(joined("this would be ",
                                         placeInMatrix(finding, call, name, *shape, offset),
                                         " of a matrix of ", counted(shape->extents[0], "row"),
                                         " and ", counted(shape->extents[1], "column")));
    finding.details.push_back(origin(near, element));
    finding.others = {near.at};
    finding.remedy = wrong.empty() ? remedyPastEnd(finding, call, near, offset, bytes) : wrong;
}

// Describes an access to device memory by its address alone.
void describeAddress(Finding& finding, const KernelCall& call, std::uintptr_t address,
                     std::size_t bytes, const std::string& verbed) {
    const DeviceMemory& memory = DeviceMemory::instance();
    const Allocation* near = memory.find(reinterpret_cast<void*>(address));
    if (!near) near = memory.nearestBelow(address);
    const Allocation* const above = memory.nextLive(address);
    // Between two arrays, the access may mean the farther one.
    const bool pastEnd = near && address - near->base >= near->ownBytes();
    const bool doubtful =
        pastEnd &&
        (!near->live || (above && above->base - address < address - near->base - near->ownBytes()));
    if (!near || doubtful) return describeBetween(finding, address, bytes, verbed);
    describeDevice(finding, call, *near, address, bytes, verbed);
}

// Describes an access outside of the shared array of this index; 0 stands for none.
void describeShared(Finding& finding, const Worker& worker, std::size_t array,
                    std::uintptr_t address, std::size_t bytes, const std::string& verbed) {
    if (worker.shared[array].bytes == 0) {
        finding.title = verbed + " shared memory that the block does not have";
        finding.remedy =
            "An extern array has the bytes that the launch's third parameter gives: here none. If "
            "its size is a constant, declare it with that size and without extern. If not, pass "
            "the size there, in bytes.";
        return;
    }
    const std::uintptr_t start = worker.threadLocals + worker.shared[array].start;
    const std::string name = arrayName(true, static_cast<std::uint32_t>(array));
    const std::string size =
        joined(counted(worker.shared[array].bytes / bytes, "element"), " of ", bytes, " bytes");
    if (address < start) {
        finding.title = joined(verbed, " before the beginning of shared array ", name,
                               negativeIndex(start - address, bytes));
        finding.details.push_back(joined(name, " holds ", size));
        explainNegative(finding, worker.runner->call());
        return;
    }
    const std::size_t offset = address - start;
    finding.title = verbed + " past the end of shared array " + name;
    finding.details.push_back(joined("index ", offset / bytes, " (linear) of ", size));
    const auto shape = sharedShape(array);
    if (shape && shape->extents.size() > 1)
        finding.details.push_back(joined("this would be ", name, indices(*shape, offset), " of ",
                                         extentsText(*shape), " elements"));
    finding.details.push_back(joined("the block has ", blockDim.x, " x ", blockDim.y, " threads"));
    std::string loops;
    for (const Loop& loop : loopsAround(finding.file, {finding.line}))
        loops += joined(loops.empty() ? "" : ", ", loop.first);
    const bool byLoop = threadIdx.x + threadIdx.y == 0 && !loops.empty();
    if (array == 1) {
        finding.remedy = ifOffsetInBytes(finding.file, finding.line, name);
        if (finding.remedy.empty())
            finding.remedy = joined(
                "The launch's third parameter gives the block ",
                counted(worker.shared[1].bytes, "byte"),
                ". It counts bytes: elements times sizeof. If this is enough, ",
                byLoop ? joined("check whether a loop around it runs too far (line ", loops,
                                "), because threadIdx is 0 in this thread. Otherwise correct the "
                                "index.")
                       : "correct the index, or the launch's block.");
        return;
    }
    finding.remedy = byLoop
                         ? joined(
                               "threadIdx is 0 in this thread, so check the rest of the index. "
                               "Check that the loop around it does not run too far (line ",
                               loops, "). Otherwise correct the size of the array.")
                         : "Correct the index, the size of the array, or the launch's block. The "
                           "block may have more threads than the array has elements.";
}

// Returns the shared array that starts nearest below an address in the thread-local block, or 0.
std::size_t nearestShared(const Worker& worker, std::uintptr_t inThreadLocals) {
    if (worker.sharedOwner[inThreadLocals] == 1) return worker.shared[1].bytes > 0 ? 1 : 0;
    std::size_t near = 0;
    for (std::size_t i = 1; i < worker.shared.size(); ++i)
        if (worker.shared[i].bytes > 0 && worker.shared[i].start <= inThreadLocals &&
            (near == 0 || worker.shared[i].start > worker.shared[near].start))
            near = i;
    return near;
}

// Passes the failing access to the observers, with the array that it means, or the nearest one.
void noteFailing(Worker& worker, const std::optional<NamedArray>& named, std::uintptr_t address,
                 std::size_t bytes, const void* place) {
    if (!worker.noteEach) return;
    const std::uintptr_t inThreadLocals = address - worker.threadLocals;
    const Allocation* near = named ? named->allocation : nullptr;
    std::size_t shared = named ? named->shared : 0;
    if (!named && inThreadLocals < worker.threadLocalBytes)
        shared = nearestShared(worker, inThreadLocals);
    else if (!named && DeviceMemory::instance().inReserved(address))
        near = DeviceMemory::instance().nearestBelow(address);
    const std::uintptr_t start = near || shared ? startOf(worker, {near, shared}) : 0;
    const FailingAccess one{place,      static_cast<std::int64_t>(address - start),
                            bytes,      near ? near->id : static_cast<std::uint32_t>(shared),
                            shared > 0, start > 0};
    worker.notify(&Observer::failing, one);
}

// Adds the line of the call to a finding in a function that the kernel calls.
void addCaller(Finding& finding) {
    const std::vector<SourceLine> frames = callers();
    if (frames.size() < 2 || frames[0].file != finding.file || frames[0].line != finding.line)
        return;
    finding.details.push_back(
        joined("called at ", text(frames[1]), ": ", sourceLine(frames[1].file, frames[1].line)));
    finding.others.push_back(frames[1]);
    finding.remedy += joined(" Or correct what line ", frames[1].line, " passes.");
}

}  // namespace

void explainNegative(Finding& finding, const KernelCall& call) {
    const auto [name, is] = negativeValue(finding, call);
    if (!name.empty()) {
        finding.causedAt = is.line;
        finding.remedy = joined(name, " is ", is.value, " in this thread: check line ", is.line,
                                ", where ", name, " gets its value.");
        return;
    }
    const std::string loop = ifBelowZero(finding.file, finding.line, finding.causedAt);
    const std::string narrow =
        loop.empty() ? ifNarrow(finding.file, finding.line, finding.causedAt) : "";
    const bool subtracts = sourceLine(finding.file, finding.line).find('-') != std::string::npos;
    finding.remedy = joined(
        "The index is negative in this thread",
        loop.empty() ? (subtracts ? ": check what it subtracts."
                                  : ": check its variables. One of them may be uninitialized.")
                     : ". ",
        loop, narrow);
}

void failMisaligned(Worker& worker, std::uintptr_t address, std::size_t bytes, AccessKind kind,
                    const void* place) {
    noteFailing(worker, std::nullopt, address, bytes, place);
    const Place at = placeOf(place);
    worker.runner->fail({"misaligned",
                         joined("misaligned: the kernel ", verb(kind), " ", bytes,
                                " bytes at an address that is no multiple of ", bytes),
                         at,
                         remedyOfMisaligned(at, bytes),
                         {joined("the address is ", address & (bytes - 1), " bytes off")}});
}

void failWriteToConstant(Worker& worker, const Allocation& variable, const void* place) {
    worker.runner->fail(
        {"constant-write", "the kernel writes " + variable.name + ", which is __constant__",
         placeOf(place),
         joined("Kernels can only read constant memory. If a kernel must write ", variable.name,
                ", declare it with __device__. If not, write it from the host with "
                "cudaMemcpyToSymbol.")});
}

void failOverwrittenReturn(Worker& worker, const void* place) {
    worker.runner->fail(
        {"out-of-bounds", "out of bounds: the kernel overwrites a return address on the stack",
         placeOf(place),
         "Check the index of the local array or variable: it leads outside of it."});
}

Worker::Outside lookedUp(const std::string& access) {
    const std::vector<std::string>& all = options().forgiven;
    return {access, std::find(all.begin(), all.end(), access) != all.end()};
}

bool isForgiven(const Worker::Outside& outside) {
    return outside.isListed && (!options().forgivenInside || isInside());
}

bool isForgiven(Worker& worker, std::uintptr_t address, std::size_t bytes, AccessKind kind,
                const void* place) {
    if (options().forgiven.empty()) return false;
    const auto [known, isNew] = worker.outside.try_emplace(place);
    if (isNew)
        if (const auto named = arrayNamedAt(place, kind, worker.runner->call());
            named && (!named->allocation || named->allocation->live))
            known->second = lookedUp(accessOf(*named, kind));
    if (!isForgiven(known->second)) return false;
    const std::uintptr_t inThreadLocals = address - worker.threadLocals;
    if (inThreadLocals >= worker.threadLocalBytes)
        return DeviceMemory::instance().lend(address, bytes);
    // A store must not reach the simulator's own variables.
    const std::uint16_t* const first = worker.sharedOwner + inThreadLocals;
    return bytes <= worker.threadLocalBytes - inThreadLocals &&
           (kind == AccessKind::Load || std::find(first, first + bytes, 0) == first + bytes);
}

void failOutOfBounds(Worker& worker, std::uintptr_t address, std::size_t bytes, AccessKind kind,
                     const void* place) {
    Finding finding("out-of-bounds", "", placeOf(place));
    const std::string does = joined("the kernel ", verb(kind)), verbed = "out of bounds: " + does;
    const std::uintptr_t inThreadLocals = address - worker.threadLocals;
    const KernelCall& call = worker.runner->call();
    const auto* pointer = reinterpret_cast<const void*>(address);
    // The array that the line names may contain a pointer to the kernel's own memory.
    const bool inHeap = DeviceHeap::instance().mayHold(address);
    const DeviceMemory& memory = DeviceMemory::instance();
    const Allocation* const copied = memory.find(pointer) ? nullptr : memory.variableAt(pointer);
    const bool isNull = address < 65536;  // also if the line names the variable that holds it
    const auto meant = inHeap || copied ? std::nullopt : arrayNamedAt(place, kind, call);
    const bool isValue = meant && meant->allocation && isValueOf(*meant->allocation, address);
    const auto named = isNull || isValue ? std::nullopt : meant;
    noteFailing(worker, named, address, bytes, place);
    if (isValue) {
        describeValue(finding, *meant->allocation, address, does);
    } else if (named && named->allocation) {
        describeDevice(finding, call, *named->allocation, address, bytes, verbed, named->parameter);
        if (address < named->allocation->base || isInside())
            finding.access = accessOf(*named, kind);
        tellParameter(finding, *named->allocation, call);
    } else if (named) {
        describeShared(finding, worker, named->shared, address, bytes, verbed);
        finding.access = accessOf(*named, kind);
    } else if (memory.find(pointer) || memory.inReserved(address)) {
        describeAddress(finding, call, address, bytes, verbed);
    } else if (inThreadLocals < worker.threadLocalBytes) {
        describeShared(finding, worker, nearestShared(worker, inThreadLocals), address, bytes,
                       verbed);
    } else if (inHeap) {
        describeHeap(finding, address, bytes, does);
    } else if (isNull) {
        finding.kind = "null-pointer";
        finding.title = does + " through a null pointer";
        finding.details = memory.toldEmpty();
        finding.remedy =
            DeviceHeap::instance().hasRefused()
                ? "new or malloc in the kernel returned a null pointer because the device's heap "
                  "is full. Free memory, or declare a local array of a constant size."
            : finding.details.empty()
                ? "Pass the kernel a pointer from cudaMalloc, and check that cudaMalloc succeeded."
                : "For 0 bytes cudaMalloc returns a null pointer: check how the size is computed.";
    } else if (copied) {
        describeCopyOfHost(finding, *copied, kind);
    } else if (const std::string variable = objectAt(address); !variable.empty()) {
        describeVariableOfHost(finding, variable, kind);
    } else {
        describeNowhere(finding, call, address, does);
    }
    if (finding.causedAt > 0) finding.access.clear();
    const bool outside = finding.causedAt == 0 && finding.kind == "out-of-bounds" &&
                         (computesSeveral() || !isInside());
    std::string advice = named ? ifUnset((address - startOf(worker, *named)) / bytes) : "";
    if (advice.empty() && outside) advice = adviceOnGuard(finding, call);
    if (!advice.empty()) finding.remedy = std::move(advice);
    if (sourceLine(finding.file, finding.line).find("_matrix_sync") != std::string::npos)
        finding.remedy =
            "A warp loads or stores the whole tile, so all of it must lie in the array. Check "
            "where the tile begins, and the leading dimension. At the edge of a matrix, pad the "
            "matrix to whole tiles, or copy the part that exists to a tile in shared memory.";
    addCaller(finding);
    worker.runner->fail(finding);
}

}  // namespace cusim
