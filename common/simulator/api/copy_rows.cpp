// The checks of copies of rows, cudaMemcpy2D: see copy_checks.h.
#include <algorithm>

#include "simulator/api/copy_checks.h"
#include "simulator/engine/host_blocks.h"
#include "simulator/engine/host_memory.h"
#include "simulator/memory/element_names.h"

namespace cusim {
namespace {

// Returns the length of a row, if the matrix at this address is known; otherwise nothing.
std::string ifRowsAreKnown(const void* host) {
    const std::size_t columns = describedColumns(host);
    return columns == 0
               ? ""
               : joined("; a row of this matrix is ", columns * sizeof(float), " bytes long");
}

// Returns a question about the two pitches, or the two sizes, if they fit when exchanged.
std::string ifExchanged(std::size_t width, std::size_t height, std::size_t pitch,
                        std::size_t otherPitch, std::size_t room) {
    if (pitch > width && otherPitch == width && height * width == room)
        return joined(" If the two pitches are exchanged, swap them: ", counted(height, "row"),
                      " at a pitch of ", otherPitch, " bytes would fit.");
    const std::size_t columns = width / sizeof(float), row = height * sizeof(float);
    const bool fits = row <= pitch && (room == 0 || (columns - 1) * pitch + row <= room);
    return width % sizeof(float) == 0 && columns != height && fits
               ? joined(" If width and height are exchanged, swap them: ", counted(columns, "row"),
                        " of ", height, " floats would fit the pitch.")
               : "";
}

// Returns what to do if device memory has exactly the rows without the padding of this pitch, and
// the other side is a matrix with rows of this width; otherwise nothing.
std::string ifWithoutPadding(const Allocation* allocation, std::size_t width, std::size_t height,
                             std::size_t pitch, std::size_t room, const void* other) {
    const std::size_t row = describedColumns(other) * sizeof(float);
    if (!allocation || pitch <= width || height * width != room || row != width) return "";
    return joined(label(*allocation), " has just ", counted(height, "row"), " of ", width,
                  " bytes, without padding. If its rows are to be ", pitch,
                  " bytes long, as this copy says, allocate as much for each of them in line ",
                  allocation->at.line, ". If not, its pitch is ", width, " bytes.");
}

// Returns what to do if host memory has fewer rows, and they fit; otherwise nothing.
std::string ifHeightIsWrong(const void* host, std::size_t pitch, std::size_t height,
                            std::size_t most) {
    const std::size_t room = hostBytesFrom(host, height * pitch).value_or(0);
    const std::size_t rows = pitch > 0 && room % pitch == 0 ? room / pitch : 0;
    if (rows == 0 || rows > most) return "";
    return joined("The matrix on the host has ", counted(rows, "row"), " of ",
                  counted(pitch, "byte"), ", which fit: the height counts rows, so it must be ",
                  rows, ", not ", height, ".");
}

// Refuses more rows than there are from `pointer` to the end of its memory.
cudaError_t checkRowsOf(const char* role, const void* pointer, std::size_t pitch, const void* other,
                        std::size_t otherPitch, std::size_t width, std::size_t height,
                        const Where& at) {
    const Allocation* const allocation = memory().find(pointer);
    if (allocation && !allocation->live) return cudaSuccess;  // checkSide reports it
    const std::size_t room =
        allocation ? allocation->bytes - std::min(allocation->bytes, allocation->offsetOf(pointer))
                   : hostBytesFrom(pointer, (height - 1) * pitch + width).value_or(0);
    if (pitch == 0 || width == 0 || width > room) return cudaSuccess;
    const std::size_t rows = (room - width) / pitch + 1;
    if (height <= rows) return cudaSuccess;
    const std::string exchanged = ifExchanged(width, height, pitch, otherPitch, room);
    std::string remedy = ifWithoutPadding(allocation, width, height, pitch, room, other);
    if (remedy.empty() && exchanged.empty())
        remedy = ifHeightIsWrong(other, otherPitch, height, rows);
    if (remedy.empty())
        remedy = joined(
            exchanged.empty() ? "" : exchanged.substr(1) + " If not: ",
            allocation && room == rows * pitch
                ? joined("The memory has exactly ", counted(rows, "row"), " of this pitch, and ",
                         height, " are copied: is its number of rows rounded up? ")
                : "",
            "Check that this is the right array, and that it has this many rows of this pitch. ",
            allocation ? joined("If so, check the size in line ", allocation->at.line,
                                ", where it is allocated. ")
                       : "",
            "Width and pitch are in bytes, the height is in rows.");
    return runtime().refuse(
        cudaErrorInvalidValue,
        {"wild-copy",
         joined("cudaMemcpy2D: row ", rows, " of ", height, " is past the end of the ", role, ", ",
                allocation ? label(*allocation) : "in host memory"),
         at,
         remedy,
         {joined("there are ", counted(room, "byte"),
                 " from there to its end: ", counted(rows, "row"), " at a pitch of ",
                 counted(pitch, "byte"), allocation ? "" : ifRowsAreKnown(pointer))}});
}

}  // namespace

cudaError_t checkRows(const void* target, std::size_t targetPitch, const void* source,
                      std::size_t sourcePitch, std::size_t width, std::size_t height,
                      const Where& at) {
    const auto ofTarget = [&] {
        return checkRowsOf("target", target, targetPitch, source, sourcePitch, width, height, at);
    };
    const auto ofSource = [&] {
        return checkRowsOf("source", source, sourcePitch, target, targetPitch, width, height, at);
    };
    // The device's side first: the student's file gives its size.
    const auto first = onDevice(source) ? ofSource() : ofTarget();
    if (first != cudaSuccess) return first;
    return onDevice(source) ? ofTarget() : ofSource();
}

cudaError_t refusePitch(std::size_t width, std::size_t height, std::size_t targetPitch,
                        std::size_t sourcePitch, const Where& at) {
    const bool ofTarget = width > targetPitch;
    return Runtime::instance().refuse(
        cudaErrorInvalidPitchValue,
        {"invalid-pitch",
         joined("cudaMemcpy2D: ", width, " bytes of each row are to be copied, but a row of the ",
                ofTarget ? "target" : "source", " is ", ofTarget ? targetPitch : sourcePitch,
                " bytes long"),
         at,
         joined("The width is the part of a row that is copied. A pitch is the length of a whole "
                "row, in the target or in the source. All three are in bytes.",
                ifExchanged(width, height, std::min(targetPitch, sourcePitch), 0, 0))});
}

}  // namespace cusim
