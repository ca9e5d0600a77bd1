#include "simulator/explain/past_end.h"

#include <algorithm>
#include <utility>

#include "simulator/engine/host_memory.h"
#include "simulator/explain/array_size.h"
#include "simulator/explain/device_words.h"
#include "simulator/explain/named_array.h"
#include "simulator/explain/row_in_index.h"
#include "simulator/explain/thread_flow.h"
#include "simulator/findings/source_lines.h"
#include "simulator/include/cusim/builtins.h"
#include "simulator/memory/element_names.h"
#include "simulator/memory/unset.h"

namespace cusim {
namespace {

// Returns the thread's number in x and in y, in the whole grid.
std::pair<std::size_t, std::size_t> position() {
    return {std::size_t{blockIdx.x} * blockDim.x + threadIdx.x,
            std::size_t{blockIdx.y} * blockDim.y + threadIdx.y};
}

std::size_t upTo(std::size_t extent, std::size_t block) {
    return (extent + block - 1) / block * block;
}

// Tests whether a missing guard explains an index past the end of a matrix: its row and column are
// in the last tile, and those of this thread.
bool isInLastTile(const ArrayShape& matrix, std::size_t index) {
    const auto [x, y] = position();
    const std::size_t rows = matrix.extents[0], columns = matrix.extents[1];
    const std::size_t column = index - y * columns, row = (index - x) / columns;
    return (column < upTo(columns, blockDim.x) && column % blockDim.x == threadIdx.x) ||
           ((index - x) % columns == 0 && row < upTo(rows, blockDim.y) &&
            row % blockDim.y == threadIdx.y);
}

// A variable that counts rows or columns, and its limit.
struct Index {
    std::string name, axis;
    std::size_t number, extent;  // the thread's number in the grid; 0 for an extent not known
    std::optional<IndexValue> known;

    // Tests whether the value is outside, and is not the thread's own number. If each variable has
    // the other one's number, row and column may be exchanged on purpose.
    bool isWrong(const Index& other) const {
        if (!known || extent == 0 || number >= extent) return false;
        const auto value = static_cast<std::size_t>(known->value);
        const bool both = other.known && other.known->value == known->value;
        return value >= extent && (both || value != other.number);
    }
    bool lies() const { return extent > 0 && static_cast<std::size_t>(known->value) < extent; }
    std::string toldWrong() const {
        return joined(name, " is ", known->value,
                      " in this thread, whose number in the whole grid is ", number, " in ", axis,
                      ": see line ", known->line, ", where ", name, " gets its value.");
    }
};

std::pair<Index, Index> indicesOf(const Finding& finding, const KernelCall& call,
                                  const Allocation& array, std::size_t bytes) {
    const auto [x, y] = position();
    const std::size_t across = std::size_t{gridDim.x} * blockDim.x,
                      down = std::size_t{gridDim.y} * blockDim.y;
    const auto shape = matrixShape(array);
    const bool oneEach = !shape && across * down * bytes == array.ownBytes();
    const IndexNames& names = indexNames();
    return {{names.row, "y", y, shape ? shape->extents[0] : down * (oneEach ? 1 : 0),
             indexValue(finding, call, names.row)},
            {names.column, "x", x, shape ? shape->extents[1] : across * (oneEach ? 1 : 0),
             indexValue(finding, call, names.column)}};
}

// Returns what to do about an access one past the end, if a condition around its line has <=, or if
// the threads in a row are more than the elements; else nothing.
std::string ifOnePast(const Finding& finding, std::size_t elements, bool inRow) {
    const auto line = lineOfCondition(finding.file, finding.line, "<=");
    if (line > 0)
        return joined("Line ", line,
                      " compares with <=, but an array of n elements ends at n - 1: write <.");
    const std::size_t threads = std::size_t{gridDim.x} * blockDim.x;
    return inRow && position().first == elements && threads > elements
               ? joined("The launch has ", counted(threads, "thread"), " for ",
                        counted(elements, "element"),
                        ", and this thread has none: guard the access, as in if (i < n) for n "
                        "elements.")
               : "";
}

// Returns that a whole number of the launch, which the line names, is larger than the rows and
// columns of all matrices; else nothing. Only an array with room for it may use a number that is
// rounded up to whole blocks.
std::string ifTooLarge(const Finding& finding, const KernelCall& call, bool hasRoom) {
    if (mostExtent() == 0) return "";
    const auto padded =
        static_cast<long long>(upTo(mostExtent(), std::max(blockDim.x, blockDim.y)));
    for (const NumberParameter& one : numbersAt(finding, call))
        if (one.value > padded ||
            (!hasRoom && one.value == padded && padded > static_cast<long long>(mostExtent())))
            return joined("The launch at ", text(Place(call.at)), " passes ", one.value, " as ",
                          one.name, ", but no matrix has more than ", counted(mostExtent(), "row"),
                          " or ", counted(mostExtent(), "column"), ": check that argument.");
    return "";
}

// Tests for threads in a row, and no described matrix.
bool isInRow() { return leastExtent() == 0 && blockDim.y == 1 && gridDim.y == 1; }

// Each rule returns a remedy if its case applies, else nothing. remedyPastEnd() asks them in order.

// Tests whether this line, or one of those before it, adds a variable by itself.
bool isAdded(const std::string& name, const Finding& finding) {
    for (int line = finding.line; line > std::max(finding.line - 20, 0); --line) {
        const std::string source = sourceLine(finding.file, line);
        for (const char* const before : {"(", "[", "+ ", "= "})
            for (const char* const after : {" + ", ")", "]", ";", " * "}) {
                const std::size_t at = source.find(before + name + after);
                if (at != source.npos && source.find('+') != source.npos) return true;
            }
    }
    return false;
}

// The launch passes a pointer into the array, and the index adds the same offset again.
std::string ifMovedTwice(const PastEnd& access) {
    for (const PointerParameter& pointer :
         pointerParameters(access.finding.file, access.finding.line, access.call)) {
        const std::size_t moved = access.array.offsetOf(pointer.value);
        if (moved == 0 || moved >= access.array.ownBytes() || access.offset < 2 * moved ||
            access.offset - moved >= access.array.ownBytes())
            continue;
        for (const NumberParameter& one : numbersInKernel(access.finding, access.call))
            if (one.value > 0 && moved / access.bytes % static_cast<std::size_t>(one.value) == 0 &&
                isAdded(one.name, access.finding))
                return joined("The launch at ", text(Place(access.call.at)), " passes ",
                              label(access.array), " + ", moved / access.bytes, " as ",
                              pointer.name, ", and the kernel adds ", one.name, " = ", one.value,
                              " to the index: is the same offset added twice?");
    }
    return "";
}

std::string ifSizeIsWrong(const PastEnd& access) {
    if (!access.ownSize) return "";
    std::string forgotten = ifSizeIsForgotten(access.array);
    if (access.array.live && !forgotten.empty()) return forgotten;
    std::string small = ifTooSmall(access.array, access.offset + access.bytes, access.bytes);
    return small.empty() ? ifCountedInBytes(access.finding, access.call, access.array, access.bytes)
                         : small;
}

// The launch may have one thread per byte, but each thread accesses one element.
std::string ifThreadForEachByte(const PastEnd& access) {
    const std::size_t threads = std::size_t{gridDim.x} * blockDim.x, all = access.array.ownBytes();
    if (access.bytes < 2 || gridDim.y * blockDim.y > 1 || threads < all ||
        threads >= all + blockDim.x || position().first * access.bytes != access.offset)
        return "";
    return joined("The launch at ", text(Place(access.call.at)), " has a thread for each of the ",
                  all, " bytes of ", label(access.array), ", which has ",
                  counted(all / access.bytes, "element"),
                  ": launch one for each element. If it must have more elements, correct its size "
                  "in line ",
                  access.array.at.line, ".");
}

std::string ifGuardLetsIn(const PastEnd& access) {
    const Finding& finding = access.finding;
    for (const NumberParameter& one : numbersInKernel(finding, access.call))
        for (const Comparison& guard : letIn(finding.file, finding.line, one.name))
            if (const auto is = indexValue(finding, access.call, guard.name);
                is && is->value == one.value)
                return joined(guard.name, " is ", one.value, " in this thread, as ", one.name,
                              " is, and the last one inside is ", one.value - 1,
                              ". The if in line ", guard.line, " uses ", guard.word, ": write ",
                              guard.meant, ".");
    return "";
}

std::string ifPastInRow(const PastEnd& access) {
    return leastExtent() == 0 && access.offset == access.array.ownBytes()
               ? ifOnePast(access.finding, access.offset / access.bytes, isInRow())
               : "";
}

std::string ifArgumentTooLarge(const PastEnd& access) {
    return ifTooLarge(access.finding, access.call, !matrixShape(access.array));
}

std::string ifIndexChanges(const PastEnd& access) {
    const auto [row, column] = indicesOf(access.finding, access.call, access.array, access.bytes);
    std::string changed;
    for (const Index* one : {&row, &column})
        if (const int line = changedAt(access.finding, access.call, one->name))
            changed += joined(one->name, " changes in line ", line,
                              ": check that this is the variable you mean. ");
    return changed.empty() ? "" : changed + "If so, correct the index, or guard the access.";
}

std::string ifBlockOrTestIsOther(const PastEnd& access) {
    const Finding& finding = access.finding;
    std::string other = ifTestsOther(finding.file, finding.line);
    return other.empty() && !isInside() ? ifFlatBlock(finding.file, finding.line, blockDim) : other;
}

std::string ifRowLengthIsOther(const PastEnd& access) {
    const auto shape = matrixShape(access.array);
    if (!shape) return "";
    const auto [x, y] = position();
    const std::size_t index = access.offset / shape->elementBytes, columns = shape->extents[1];
    const bool inLastTile = isInLastTile(*shape, index);
    auto other = inLastTile ? std::nullopt : otherRowLength(*shape, index, x, y);
    const std::size_t whole = upTo(columns, blockDim.x);
    if (!inLastTile && !other && y > 0 && y < shape->extents[0] && index - y * whole < columns)
        other = whole;
    if (other)
        return joined("A row of ", label(access.array), " has ", counted(columns, "element"),
                      ", but this index fits rows of ", *other,
                      ": multiply the row by the right length, or use the other matrix.");
    const Finding& finding = access.finding;
    const std::string source = sourceLine(finding.file, finding.line);
    for (std::size_t at = source.find(" * "); at != source.npos; at = source.find(" * ", at + 3)) {
        const std::string name =
            source.substr(at + 3, source.find_first_of(" ])+;", at + 3) - at - 3);
        const auto is = indexValue(finding, access.call, name);
        const auto length = static_cast<std::size_t>(is && is->value > 0 ? is->value : 1);
        if (name != indexNames().row && name != indexNames().column && length > shape->extents[1] &&
            index / length < shape->extents[0])
            return joined(name, " is ", length, " (line ", is->line, "), and a row of ",
                          label(access.array), " has ", counted(shape->extents[1], "element"),
                          ": multiply the row by the length of a row.");
    }
    return ifRowsHaveGaps(access.finding, access.call, access.array, access.offset, *shape);
}

// Returns that the pointer of the line is not at the array's beginning, if so.
std::string ifPointerIsMoved(const PastEnd& access) {
    const std::string source = sourceLine(access.finding.file, access.finding.line);
    for (const auto& [name, value] :
         pointerParameters(access.finding.file, access.finding.line, access.call)) {
        const Allocation* const of = DeviceMemory::instance().find(value);
        const std::size_t moved = access.array.offsetOf(value), end = access.array.ownBytes();
        const bool ofArray = of ? of == &access.array : moved == end;
        if (!ofArray || source.find(name + "[") == source.npos) continue;
        if (const int line = changedAt(access.finding, access.call, name))
            return joined("Line ", line, " moves ", name,
                          ", and the index counts from there. Is the same offset added twice? ");
        if (moved > 0)
            return joined("The launch at ", text(Place(access.call.at)), " passes ",
                          label(access.array), " + ", moved / access.bytes, " as ", name,
                          ", and the index counts from there: check that argument first. ");
    }
    return "";
}

// Returns what to look at if no rule applies.
std::string otherwise(const PastEnd& access) {
    const auto [x, y] = position();
    const auto [row, column] = indicesOf(access.finding, access.call, access.array, access.bytes);
    const bool unguarded = needsNoGuard(access.array.ownBytes() / access.bytes);
    const bool inside = !computesSeveral() && isInside();
    const bool known = row.known && column.known && row.lies() && column.lies();
    const Finding& finding = access.finding;
    int guard = unguarded ? 0 : lineOfCondition(finding.file, finding.line, "if");
    if (sourceLine(finding.file, guard).find('<') == std::string::npos) guard = 0;
    const std::string rest =
        joined(guard > 0 ? joined("check that the if in line ", guard,
                                  " tests the same row and column as the index: ")
                         : "check the rest of the index: a loop may run too far, or ",
               unguarded ? "a factor may be too large." : "a tile may reach past the edge.",
               // Without a described matrix, an unguarded array has one element per thread.
               access.ownSize && !(unguarded && leastExtent() == 0)
                   ? " Check that the allocation is large enough, in bytes."
                   : "",
               guard > 0   ? " Or does a loop run too far?"
               : unguarded ? ""
                           : " Otherwise guard the access.");
    const std::string moved = ifPointerIsMoved(access);
    if (known && (unguarded || inside))
        return joined(moved, row.name, " is ", row.known->value, " and ", column.name, " is ",
                      column.known->value, " in this thread, which is inside: ", rest);
    if (unguarded || inside)
        return joined(moved, "If ", row.name, " and ", column.name,
                      " are inside in this thread (number ", y, " in y, number ", x, " in x), ",
                      rest);
    // In one row of threads, the number in x may be anything, for example a column.
    if (isInRow()) {
        std::string values;
        for (const Index* one : {&row, &column})
            if (one->known)
                values += joined(one->name, " is ", one->known->value, " in this thread, by line ",
                                 one->known->line, ". ");
        return joined(values, "Correct the index, or the values that it is computed from",
                      access.ownSize ? ", or the size of the allocation" : "",
                      ". If the thread has no element, guard the access.");
    }
    const bool chooses = sourceLine(finding.file, finding.line).find('?') != std::string::npos;
    if (guard > 0 || chooses)
        return joined(guard > 0 ? joined("The if in line ", guard) : "The condition before the ?",
                      " lets this thread in. It must test the row and the column that this index "
                      "uses, and compare them with the size of ",
                      label(access.array), ".",
                      access.ownSize ? " Or is the allocation too small?" : "");
    return joined("Guard the access (if (", row.name, " < ... && ", column.name,
                  " < ...)). If it has a guard, correct the guard or the index",
                  access.ownSize ? ", or the size of the allocation." : ".");
}

}  // namespace

bool isInside() {
    const auto [x, y] = position();
    return x + y == 0 || std::max(x, y) < leastExtent();
}

bool computesSeveral() {
    const std::size_t rows = std::size_t{gridDim.y} * blockDim.y;
    return rows > 1 && rows * gridDim.x * blockDim.x < leastElements();
}

std::string ifUnset(std::uint64_t index) {
    constexpr std::uint64_t kAdded = 1 << 16;  // that the kernel may add, or take away
    const auto isNear = [&](std::uint64_t word) { return index - word + kAdded <= 2 * kAdded; };
    return isNear(kUnsetWord) || isNear(kUnsetLocalWord)
               ? "The index is computed from uninitialized memory: set the variable, or fill the "
                 "array, that it comes from."
               : "";
}

std::string wrongIndex(const Finding& finding, const KernelCall& call, const Allocation& array,
                       std::size_t bytes, int& at) {
    if (computesSeveral()) return "";
    const auto [row, column] = indicesOf(finding, call, array, bytes);
    if (!column.isWrong(row) && !row.isWrong(column)) return "";
    const Index& wrong = column.isWrong(row) ? column : row;
    at = wrong.known->line;
    return wrong.toldWrong();
}

std::string remedyPastEnd(const Finding& finding, const KernelCall& call,
                          const Allocation& allocation, std::size_t offset, std::size_t bytes) {
    const PastEnd access{
        finding, call,  allocation,
        offset,  bytes, finding.file == allocation.at.file && !matrixShape(allocation)};
    for (const auto rule : {ifMovedTwice, ifSizeIsWrong, ifThreadForEachByte, ifGuardLetsIn,
                            ifPastInRow, ifArgumentTooLarge, ifIndexChanges, ifBlockOrTestIsOther,
                            ifAddendIsTooMuch, ifRowLengthIsOther, ifGridIsExchanged,
                            ifRowsAreShorter, ifRowOrColumnIsPastEnd, ifMoreRowsThanRoom})
        if (std::string remedy = rule(access); !remedy.empty()) return remedy;
    return otherwise(access);
}

}  // namespace cusim
