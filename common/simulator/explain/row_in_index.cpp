#include "simulator/explain/row_in_index.h"

#include <string>
#include <vector>

#include "simulator/explain/array_size.h"
#include "simulator/explain/device_words.h"
#include "simulator/explain/named_array.h"
#include "simulator/explain/past_end.h"
#include "simulator/explain/thread_flow.h"
#include "simulator/findings/source_lines.h"
#include "simulator/include/cusim/builtins.h"
#include "simulator/memory/element_names.h"

namespace cusim {
namespace {

// The length of a row in an index of a line, as in Row * length + Col, with the value of the row.
struct RowTimes {
    std::string row, column;  // the column is empty if the index has more
    NumberParameter length;
    IndexValue is;
    long long product() const { return is.value * length.value; }
};

std::vector<RowTimes> rowsTimesLengths(const PastEnd& access) {
    const std::string source = sourceLine(access.finding.file, access.finding.line);
    std::vector<RowTimes> found;
    for (const NumberParameter& length : numbersAt(access.finding, access.call)) {
        const std::string times = joined(" * ", length.name, " ");
        const std::size_t end = source.find(times);
        if (end == source.npos || length.value < 1) continue;
        const std::size_t before = source.find_last_of("([+ ", end - 1) + 1;
        const std::string row = source.substr(before, end - before);
        const std::size_t after = end + times.size(), close = source.find(']', after);
        const bool plus = source.compare(after, 2, "+ ") == 0 && close != source.npos;
        if (const auto is = indexValue(access.finding, access.call, row))
            found.push_back(
                {row, plus ? source.substr(after + 2, close - after - 2) : "", length, *is});
    }
    return found;
}

}  // namespace

bool needsNoGuard(std::size_t elements) {
    const std::size_t threads =
        std::size_t{gridDim.x} * blockDim.x * gridDim.y * blockDim.y * gridDim.z * blockDim.z;
    const bool wholeTiles =
        leastExtent() > 0 && threads >= leastElements() && !reachesOver(blockDim.x, blockDim.y);
    return leastExtent() == 0 ? threads == elements : wholeTiles && threads <= elements;
}

std::string ifGridIsExchanged(const PastEnd& access) {
    const auto blocks = [](std::size_t extent, unsigned block) { return (extent - 1) / block + 1; };
    const auto shape = matrixShape(access.array);
    for (const RowTimes& one : rowsTimesLengths(access)) {
        const auto length = static_cast<std::size_t>(one.length.value);
        const bool isLength =
            shape ? shape->extents[1] == length : one.length.name.find("row") == std::string::npos;
        const std::size_t rows = length > 0 ? access.array.ownBytes() / access.bytes / length : 0;
        if (rows > 0 && isLength && gridDim.x != gridDim.y &&
            one.is.value >= static_cast<long long>(rows) &&
            blocks(length, blockDim.y) == gridDim.y && blocks(rows, blockDim.x) == gridDim.x)
            return joined("The launch at ", text(Place(access.call.at)), " has ", gridDim.x, " x ",
                          gridDim.y, " blocks of ", blockDim.x, " x ", blockDim.y, " threads, but ",
                          counted(rows, "row"), " of ", one.length.name, " = ", length,
                          " elements need ", gridDim.y, " x ", gridDim.x,
                          ": x counts columns. Exchange the two in the grid.");
    }
    return "";
}

std::string ifAddendIsTooMuch(const PastEnd& access) {
    const std::string source = sourceLine(access.finding.file, access.finding.line);
    for (const NumberParameter& one : numbersAt(access.finding, access.call)) {
        const bool added = source.find("[" + one.name + " + ") != source.npos ||
                           source.find(" + " + one.name + "]") != source.npos ||
                           source.find(" + " + one.name + " + ") != source.npos;
        const long long index = static_cast<long long>(access.offset / access.bytes) - one.value;
        if (added && isInside() && index >= 0 &&
            index < static_cast<long long>(access.array.ownBytes() / access.bytes))
            return joined("The index adds ", one.name, " = ", one.value, ". Without that it is ",
                          index, ", which is inside. If ", one.name,
                          " is the length of a row, multiply the row by it, and do not add it.");
    }
    return "";
}

std::string ifRowsAreShorter(const PastEnd& access) {
    const auto elements = static_cast<long long>(access.array.ownBytes() / access.bytes);
    const long long down = static_cast<long long>(gridDim.y) * blockDim.y;
    if (matrixShape(access.array)) return "";
    for (const RowTimes& one : rowsTimesLengths(access))
        for (const NumberParameter& other : numbersInKernel(access.finding, access.call))
            if (one.product() >= elements && other.value < one.length.value &&
                one.is.value < down && other.value * down == elements)
                return joined(label(access.array), " has room for ", down, " rows of ", other.name,
                              " = ", other.value, " elements, one row for each thread in y, but ",
                              one.row, " is multiplied by ", one.length.name, " = ",
                              one.length.value, ": multiply it by ", other.name, ".");
    return "";
}

std::string ifMoreRowsThanRoom(const PastEnd& access) {
    const auto elements = static_cast<long long>(access.array.ownBytes() / access.bytes);
    const std::string source = sourceText(access.finding.file);
    for (const RowTimes& one : rowsTimesLengths(access))
        for (const NumberParameter& rows : numbersInKernel(access.finding, access.call))
            if (source.find(joined(one.row, " < ", rows.name)) != source.npos &&
                elements % one.length.value == 0 && one.is.value < rows.value &&
                one.is.value >= elements / one.length.value)
                return joined("The launch at ", text(Place(access.call.at)), " passes ", rows.value,
                              " as ", rows.name, ", but ", label(access.array), " has room for ",
                              counted(elements / one.length.value, "row"), " of ", one.length.name,
                              " = ", one.length.value,
                              " elements. Check that argument, and the "
                              "size of the allocation.");
    return "";
}

std::string ifRowOrColumnIsPastEnd(const PastEnd& access) {
    const auto elements = static_cast<long long>(access.array.ownBytes() / access.bytes);
    if (!needsNoGuard(access.array.ownBytes() / access.bytes)) return "";
    for (const RowTimes& one : rowsTimesLengths(access)) {
        const auto& [row, columnName, length, is] = one;
        if (one.product() >= elements)
            return joined(row, " is ", is.value, " and ", length.name, " is ", length.value,
                          ": the product is ", one.product(), ", and ", label(access.array),
                          " has ", elements, " elements. Is ", length.name,
                          " the length of its rows, and ", row, " the row that is meant?");
        const auto column = indexValue(access.finding, access.call, columnName);
        if (column && elements % length.value == 0 && column->value >= length.value)
            return joined(columnName, " is ", column->value, ", but a row of ", length.name, " = ",
                          length.value, " elements ends at ", length.value - 1, ": see line ",
                          column->line, ", where ", columnName, " gets its value.");
    }
    return "";
}

}  // namespace cusim
