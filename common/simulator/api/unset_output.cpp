#include "simulator/api/unset_output.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "simulator/engine/runtime.h"
#include "simulator/memory/element_names.h"
#include "simulator/memory/unset.h"
#include "simulator/observers/unset_reads.h"

namespace cusim {
namespace {

// Returns what to do: `first` is the first byte without a mark.
std::string ifUnwritten(const std::uint8_t* marks, std::size_t bytes, std::size_t first) {
    if (Runtime::instance().launches.empty())
        return "No kernel has run yet: launch it first, with kernel<<<grid, block>>>(...). If "
               "there is a launch before this line, check the loop or the if around it: the launch "
               "was not reached.";
    const LaunchReport& launch = Runtime::instance().launches.back();
    const std::size_t across = std::size_t{launch.grid.x} * launch.block.x;
    if (first == across * sizeof(float) || first == launch.threads * sizeof(float))
        return joined("The launch in line ", launch.at.line, " has ", first / sizeof(float),
                      " threads in x, and the first element that none of them writes is number ",
                      first / sizeof(float),
                      launch.threads == across && bytes - first >= launch.block.x * sizeof(float)
                          ? ". Does it need more blocks? If not, copy only so many elements."
                          : ". A quotient of integers such as n / 256 is cut off, in ceil(), too: "
                            "round the number of blocks up by (n + 255) / 256.");
    // The lengths of the first gap and of the written bytes after it.
    const auto* const end = marks + bytes;
    const auto* const gapEnd =
        std::find_if(marks + first, end, [](std::uint8_t m) { return m != 0; });
    const auto* const next = std::find(gapEnd, end, std::uint8_t{0});
    const auto gap = static_cast<std::size_t>(gapEnd - marks) - first;
    const auto row = static_cast<std::size_t>(next - marks) - first;
    const bool isRegular = next < end && gap % sizeof(float) == 0 && first + gap <= row;
    return joined(
        isRegular
            ? joined("Of every ", row / sizeof(float), " words the last ", gap / sizeof(float),
                     " are not written. If they are gaps between rows, copy only the rows, with "
                     "cudaMemcpy2D, or copy the target in before the launch. If not, let")
            : "Let",
        " the kernel store every element: check that the grid covers them all, and that no guard "
        "excludes too many threads. Or copy less.");
}

// Tests whether lengths that a kernel has stored add up to the written elements: lists whose length
// the host can know, with the lengths in another array or before the elements.
bool areListsOfKnownLength(const Allocation& list, std::size_t bytes, std::size_t unset) {
    constexpr std::size_t kMostBytes = std::size_t{1} << 20, kMostOfElement = 64;
    const DeviceMemory::Access access;
    for (const auto& one : DeviceMemory::instance().allocations()) {
        const bool own = one.get() == &list;
        const std::size_t words = own ? 1 : one->bytes / sizeof(std::int32_t);
        if (!one->live || words == 0 || one->bytes > kMostBytes || !one->stored) continue;
        if (std::all_of(one->stored, one->stored + words, [](auto mark) { return mark == 0; }))
            continue;
        if (one->marks && std::find(one->marks, one->marks + 4 * words, 0) < one->marks + 4 * words)
            continue;
        const std::size_t written = bytes - unset - (own ? sizeof(std::int32_t) : 0);
        const auto* const lengths = reinterpret_cast<const std::int32_t*>(one->base);
        if (std::any_of(lengths, lengths + words, [](std::int32_t n) { return n < 0; })) continue;
        const std::size_t sum = std::accumulate(lengths, lengths + words, std::size_t{0});
        const bool fits = sum > 0 && written % sum == 0 && written / sum <= kMostOfElement;
        if (fits && (words == 1 || sum > words)) return true;
    }
    return false;
}

// Tests for a small rest at the end that neither a grid nor a guard of one element or row explains.
bool isSmallRest(const Allocation& from, const std::uint8_t* marks, std::size_t bytes,
                 std::size_t unset) {
    constexpr std::size_t kShare = 16;
    const std::size_t first = (bytes - unset) / sizeof(float), rest = unset / sizeof(float);
    const auto shape = matrixShape(from);
    const auto& launches = Runtime::instance().launches;
    return unset * kShare <= bytes && std::find(marks, marks + bytes, 0) == marks + bytes - unset &&
           !launches.empty() && first % launches.back().block.x != 0 && rest > 2 &&
           !(shape && shape->extents.size() > 1 && first % shape->extents.back() == 0);
}

}  // namespace

void reportUnsetOutput(const char* function, const Allocation& from, const std::uint8_t* marks,
                       std::size_t bytes, const Where& at) {
    const auto unset = static_cast<std::size_t>(std::count(marks, marks + bytes, std::uint8_t{0}));
    if (unset == 0) return;
    const auto first = static_cast<std::size_t>(std::find(marks, marks + bytes, 0) - marks);
    const std::size_t inArray = first + static_cast<std::size_t>(marks - from.marks);
    const auto shape = matrixShape(from);
    Finding finding(
        "unset-output",
        joined(function, " copies ", label(from),
               unset == bytes ? ", but no kernel or copy has written it"
                              : ", but parts of it were never written"),
        at, ifUnwritten(marks, bytes, first),
        {joined((unset + 3) / 4, " of ", bytes / 4, " words of 4 bytes; the first is at index ",
                inArray / 4, shape ? ", " + rowAndColumn(*shape, inArray) : "")});
    finding.remark = options().tolerant && (areListsOfKnownLength(from, bytes, unset) ||
                                            isSmallRest(from, marks, bytes, unset));
    if (finding.remark)
        finding.remedy =
            "If this is a list whose rest is unused, copy its length first, and then only that "
            "many elements. If all of it should be filled: " +
            finding.remedy;
    Runtime::instance().report(std::move(finding));
}

void reportUnsetLocals(const char* function, const Allocation& from, std::size_t offset,
                       std::size_t bytes, const Where& at) {
    const Runtime& runtime = Runtime::instance();
    if (!options().tolerant || !options().unset || !from.stored || runtime.launches.empty()) return;
    for (const Finding& finding : runtime.findings)
        if (!finding.remark) return;
    const DeviceMemory::Access access;
    const auto* const words = reinterpret_cast<const std::uint32_t*>(from.base);
    const std::size_t begin = (offset + 3) / 4, end = (offset + bytes) / 4;
    std::size_t unset = 0, first = 0;
    for (std::size_t i = begin; i < end; ++i)
        if (words[i] == kUnsetLocalWord && from.stored[i] == kWholeWord &&
            !from.paddings.has(4 * i) && unset++ == 0)
            first = i;
    if (unset == 0) return;
    const LaunchReport& launch = runtime.launches.back();
    Finding finding(
        "unset-output",
        joined(function, " copies ", label(from), ", which a kernel computed from ",
               "an uninitialized local variable"),
        at,
        joined("In ", launch.kernel, ", launched in line ", launch.at.line,
               ", give each local variable, and each element of a local array, a value "
               "before it is read or added to, as in float sum = 0.0f;"),
        {joined(unset, " of ", end - begin, " words of 4 bytes; the first is at index ", first)});
    finding.remark = unset < end - begin;
    Runtime::instance().report(std::move(finding));
}

void excuseUnset(Allocation* array) {
    if (options().tolerant && array && array->live && array->marks)
        Marks::set(array->marks, array->bytes, kWritten);
}

void noteHostStores(Allocation& managed) {
    if (!managed.live || managed.kind != MemoryKind::Managed || !managed.marks) return;
    const std::uint8_t* const end = managed.marks + managed.bytes;
    if (std::find(static_cast<const std::uint8_t*>(managed.marks), end, 0) == end) return;
    const DeviceMemory::Access access;
    const auto* const bytes = reinterpret_cast<const unsigned char*>(managed.base);
    const auto isUnset = [&](std::size_t at) {
        return bytes[at] == static_cast<unsigned char>(kUnsetWord >> 8 * (at % 4));
    };
    std::size_t written = managed.bytes;
    while (written > 0 && (managed.marks[written - 1] != 0 || isUnset(written - 1))) --written;
    constexpr std::size_t kPage = DeviceMemory::kPage;
    Marks::set(managed.marks, std::min(managed.bytes, (written + kPage - 1) / kPage * kPage),
               kWritten);
}

void noteHostStores() {
    for (const auto& one : DeviceMemory::instance().allocations()) noteHostStores(*one);
}

}  // namespace cusim
