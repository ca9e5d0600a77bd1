#include "simulator/explain/array_size.h"

#include <algorithm>
#include <utility>

#include "simulator/engine/host_memory.h"
#include "simulator/explain/device_words.h"
#include "simulator/explain/named_array.h"
#include "simulator/findings/source_lines.h"
#include "simulator/include/cusim/builtins.h"

namespace cusim {
namespace {

// Returns the bytes that an allocation's matrix has in host memory; 0 if that is not known, or if
// the allocation may be for some of its rows only: the grid then has fewer rows of threads.
std::size_t bytesMeant(const Allocation& array) {
    if (array.copiedFrom && array.copiedFromOffset > 0) return 0;
    std::size_t bytes = 0, row = 0;
    if (array.copiedFrom) {
        bytes = hostBytesFrom(array.copiedFrom).value_or(0);
        row = describedColumns(array.copiedFrom) * sizeof(float);
    } else if (const auto shape = shapeOfResult()) {
        row = shape->extents[1] * shape->elementBytes;
        bytes = shape->extents[0] * row;
    }
    const bool ofAll =
        array.copiedFrom && row > 0 && std::size_t{gridDim.y} * blockDim.y >= bytes / row;
    return row > 0 && array.ownBytes() % row == 0 && !ofAll ? 0 : bytes;
}

// Tests whether the array was filled from the middle of host memory, as with a part of a matrix:
// the kernel then needs no bytes after that part.
bool isPart(const Allocation& array) {
    const char* const from = static_cast<const char*>(array.copiedFrom);
    return from && describedColumns(from) == 0 &&
           hostBytesFrom(from - 1) == hostBytesFrom(from).value_or(0) + 1;
}

}  // namespace

std::string ifTooSmall(const Allocation& array, std::size_t end, std::size_t bytes) {
    const std::size_t meant = bytesMeant(array);
    if (array.ownBytes() >= meant || end > meant) return "";
    if (isPart(array)) return "";
    return joined(
        label(array), " holds ", counted(array.ownBytes() / bytes, "element"),
        array.copiedFrom && describedColumns(array.copiedFrom) == 0
            ? ", but the host memory that fills it has "
            : ", but its matrix has ",
        meant / bytes, ". Check the size in line ", array.at.line,
        ": it should be rows * columns * sizeof(float), in bytes. If it is, correct the index.");
}

std::string ifRowsHaveGaps(const Finding& finding, const KernelCall& call, const Allocation& array,
                           std::size_t offset, const ArrayShape& shape) {
    const std::size_t meant = array.copiedFrom ? hostBytesFrom(array.copiedFrom).value_or(0) : 0;
    const std::size_t size = shape.elementBytes, index = offset / size;
    if (finding.file != array.at.file || array.ownBytes() >= meant || offset + size > meant)
        return "";
    for (const NumberParameter& one : numbersAt(finding, call)) {
        const auto apart = static_cast<std::size_t>(std::max(one.value, 1LL));
        if (apart <= shape.extents[1] || index % apart >= shape.extents[1] ||
            index / apart >= shape.extents[0])
            continue;
        // As many bytes as the rows take, so that a copy of all rows leaves no gaps.
        const Where& copy = array.filledAt;
        const std::size_t row = shape.extents[1] * size;
        if (array.ownBytes() == shape.extents[0] * row && array.filledBytes == array.ownBytes() &&
            sourceLine(copy.file, copy.line).find("Memcpy2D") != std::string::npos)
            return joined("Line ", copy.line, " copies the rows to ", label(array),
                          " without gaps: they begin ", shape.extents[1],
                          " elements apart there, but the kernel takes ", one.name, " = ", apart,
                          ". Pass ", shape.extents[1], " as ", one.name, " in the launch.");
        return joined("Rows of ", counted(shape.extents[1], "element"), " begin ", one.name, " = ",
                      apart, " elements apart, but ", label(array), " has no room for ",
                      "the gaps between them. Correct the size in line ", array.at.line,
                      ": from the first to the last element it is ((rows - 1) * ", one.name,
                      " + columns) * sizeof(float).");
    }
    return "";
}

std::string ifCountedInBytes(const Finding& finding, const KernelCall& call,
                             const Allocation& array, std::size_t bytes) {
    const std::string source = sourceLine(array.at.file, array.at.line);
    if (source.find("cudaMallocPitch") != std::string::npos)
        return "A pitch counts bytes, but an index counts elements. Row r begins at "
               "(float*)((char*)p + r * pitch), with the pitch from cudaMallocPitch.";
    const std::pair<const char*, std::size_t> sizes[] = {
        {"sizeof(char)", 1}, {"sizeof(int)", 4}, {"sizeof(float)", 4}, {"sizeof(double)", 8}};
    for (const auto& [text, size] : sizes)
        if (source.find(text) != source.npos && size < bytes && bytes <= sizeof(double))
            return joined("Line ", array.at.line, " counts elements of ", text, ", ",
                          counted(size, "byte"), ", but the kernel's elements have ", bytes,
                          ": allocate the size of their type.");
    for (const NumberParameter& one : numbersInKernel(finding, call))
        if (bytes > 1 && one.value == static_cast<long long>(array.ownBytes()))
            return joined(
                label(array), " holds ", array.ownBytes(), " bytes, and ", one.name, " is ",
                one.value,
                ". cudaMalloc counts bytes: multiply by the sizeof of an element in line ",
                array.at.line, "?");
    return "";
}

}  // namespace cusim
