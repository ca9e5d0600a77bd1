#include "testing/lab_sim.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>

#include "matrix/compare.h"
#include "testing/chosen_tile_width.h"
#include "testing/device.h"
#include "testing/environment.h"
#include "testing/found_sim.h"
#include "testing/role.h"

namespace lab {

std::vector<cusim::Finding> findingsOf(const std::string& kind) {
    std::vector<cusim::Finding> all;
    std::copy_if(cusim::findings().begin(), cusim::findings().end(), std::back_inserter(all),
                 [&](const cusim::Finding& finding) { return finding.kind == kind; });
    return all;
}

void expectNoAtomics(const Text& about, const std::string& finding, const cusim::AccessCount& count,
                     const std::string& what) {
    if (count.atomics > 0)
        fail(finding, about,
             "{} on {}, but plain loads and stores are enough:\nno two threads store the same "
             "element.",
             lab::count(count.atomics, "atomic"), what);
}

void expectNoAtomics(const Text& about, const std::string& finding,
                     const cusim::LaunchReport& launch) {
    for (const cusim::ArrayReport& array : launch.arrays)
        if (array.allocation >= 0 && array.count.stores > 0)
            expectNoAtomics(about, finding, array.count, "P");
}

std::vector<cusim::Finding> storesOfOneElement() {
    std::vector<cusim::Finding> all;
    for (const cusim::Finding& race : findingsOf("race"))
        if (race.others.empty() && race.access.rfind("writes ", 0) == 0) all.push_back(race);
    return all;
}

std::optional<std::size_t> bytesCopiedBack() {
    std::optional<std::size_t> bytes;
    for (const cusim::StreamStep& step : cusim::streamSteps())
        if (step.what == cusim::StreamStep::CopyOut) bytes = bytes.value_or(0) + step.bytes;
    return bytes;
}

std::string notCopiedBack() {
    std::map<int, std::string> names, stored;  // by allocation
    for (const cusim::LaunchReport& launch : cusim::launches())
        for (const cusim::ArrayReport& array : launch.arrays) {
            if (array.space != cusim::Space::Global) continue;
            names[array.allocation] = array.name;
            if (array.count.stores + array.count.atomics > 0) stored[array.allocation] = array.name;
        }
    std::optional<int> copied;
    for (const cusim::StreamStep& step : cusim::streamSteps())
        if (step.what == cusim::StreamStep::CopyOut) {
            if (stored.count(step.allocation)) return "";
            copied = step.allocation;
        }
    if (stored.empty()) return "";
    const std::string name = stored.begin()->second;
    if (!copied)
        return filled("The kernel stores into {}, but no copy brings it back to P.", name).words;
    return filled("The kernel stores into {}, but the copy to the host is from {}.", name,
                  names.count(*copied) ? names[*copied] : "other device memory")
        .words;
}

void expectDeviceValues(const Text& about, const std::string& name, matrix::Matrix& P,
                        const Outputs& outputs, const std::function<void()>& studentCode) {
    if (cusim::launches().size() != 1) return;
    const matrix::Matrix before = P;
    P = matrix::poisoned(P.rows(), P.cols());
    device::reset();
    cusim::options().changesStored = true;
    const device::Outcome end = device::runQuietly(outputs, studentCode);
    cusim::options().changesStored = false;
    // Host code may compare the result with its own, and end.
    if (!testing::judges() || end.how != device::Outcome::Returned) return;
    std::size_t same = 0, first = 0;
    for (std::size_t i = P.size(); i-- > 0;)
        if (std::memcmp(P.data() + i, before.data() + i, sizeof(float)) == 0) ++same, first = i;
    if (same > 0)
        fail("no-kernel", about,
             "the host computes {} of {} in {}, for example {}.\nCopy what the kernel has stored, "
             "and leave it unchanged after the copy.",
             same, count(P.size(), "element"), name, elementAt(first, name, P.cols()));
}

void failFor(const std::vector<cusim::Finding>& findings, const Text& sentence) {
    std::vector<testing::Finding> structures;
    Text text = sentence;
    for (const cusim::Finding& finding : findings) {
        structures.push_back(testing::found(finding));
        text.words += cusim::text(finding);
    }
    fail(structures, text);
}

void failForOneDimension(const Text& about, const cusim::Finding& race) {
    fail({testing::found(race)},
         filled("{}: {}:{} stores by one index, along x, and the\nresult is right if the grid has "
                "one dimension. The exercise asks for two:\nrows along y, columns along x; CUDA "
                "itself does not.",
                about, race.file, race.line));
}

const cusim::LaunchReport& launchOf(const Text& about, const std::string& sentence) {
    if (!cusim::launches().empty()) return cusim::launches().front();
    for (const cusim::Finding& finding : cusim::findings())  // of a call before the launch
        if (finding.kind != "leak" && finding.kind != "unset-output")
            failFor({finding}, filled("{}: no kernel is launched, because of\n", about));
    fail("not-launched", about, "{}", sentence);
}

const cusim::LaunchReport& givenLaunchOf(const Text& about, const std::string& file) {
    return launchOf(about, "no kernel is launched. The host code is given, and complete, in\n" +
                               file + "; restore it.");
}

void expectOneLaunch(const Text& about, const std::string& what, std::string kernel) {
    const auto& all = cusim::launches();
    if (all.empty()) return;
    if (kernel.empty()) kernel = all.front().kernel;
    const auto isOf = [&](const auto& launch) { return launch.kernel == kernel; };
    const auto times = std::count_if(all.begin(), all.end(), isOf);
    if (times < 2) return;
    const auto again =
        std::find_if(std::find_if(all.begin(), all.end(), isOf) + 1, all.end(), isOf);
    const testing::Place at{again->at.file, again->at.line};
    fail({{"launched-again", at}},
         filled(
             "{}: {}:{} launches {} again, {} times\nin all. One launch computes {}. Each further "
             "launch takes as long\nand changes nothing. Launch it once, outside of any loop.",
             about, at.file, at.line, again->kernel, times, what));
}

std::string tooFewThreads(const cusim::LaunchReport& launch, int columns, int rows) {
    const dim3 &grid = launch.grid, &block = launch.block;
    const std::uint64_t x = std::uint64_t{grid.x} * block.x, y = std::uint64_t{grid.y} * block.y;
    if (x >= product(columns, 1) && y >= product(rows, 1)) return "";
    return filled("{} x {} blocks of {} x {} threads:\n{} in x and {} in y, for {} and {}.", grid.x,
                  grid.y, block.x, block.y, x, y, count(columns, "column"), count(rows, "row"))
        .words;
}

void expectNoIdleBlocks(const Text& about, const cusim::LaunchReport& launch, int columns, int rows,
                        dim3 tile) {
    const unsigned x = tilesIn(columns, tile.x), y = tilesIn(rows, tile.y);
    if (blocksOf(launch) <= std::uint64_t{x} * y) return;
    const testing::Place at{launch.at.file, launch.at.line};
    const dim3& block = launch.block;
    fail({{"grid-size", at}},
         filled("{}: the grid of {}:{} has {} x {} blocks{},\nbut {} x {} are enough for {} rows "
                "and {}. The other blocks have\nnothing to do. Divide these sizes by the size of a "
                "block, and round up.{}",
                about, at.file, at.line, launch.grid.x, launch.grid.y,
                tile.x == block.x && tile.y == block.y
                    ? filled(" of {} x {} threads", block.x, block.y).words
                    : "",
                x, y, rows, count(columns, "column"), ifExchanged(launch, columns, rows)));
}

int launchedTileWidth(void (*multiply)(const float*, const float*, float*, int)) {
    constexpr int Width = 96;
    const matrix::DataSet set = lab::integers(lab::square(Width));
    matrix::Matrix P = matrix::poisoned(Width, Width);
    device::reset();
    device::runQuietly(gives(P).from(set.M, set.N),
                       [&] { multiply(set.M.data(), set.N.data(), P.data(), Width); });
    const int chosen = testing::chosenTileWidth();
    if (cusim::launches().empty()) return chosen;
    const cusim::LaunchReport& launch = cusim::launches().front();
    const unsigned width = launch.block.x, tiles = width > 0 ? Width / width : 0;
    const std::size_t shared = launch.staticSharedBytes + launch.dynamicSharedBytes;
    const std::size_t least = std::size_t{2} * width * width * sizeof(float);
    const std::size_t padded = std::size_t{2} * width * (width + 1) * sizeof(float);
    const bool agree = launch.block.y == width && launch.grid.x == tiles &&
                       launch.grid.y == tiles && width > 1 &&
                       (shared == least || shared == padded || shared == 2 * least);
    return agree ? static_cast<int>(width) : chosen;
}

std::uint64_t blocksOf(const cusim::LaunchReport& launch) {
    return std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
}

void expectWholeWarps(const Text& about, const cusim::LaunchReport& launch) {
    // All blocks are counted, but only some are observed warp by warp: more than their share, if
    // others are outside of the matrix.
    const std::uint64_t bytes = (launch.global().loadedBytes + launch.global().storedBytes) *
                                launch.warps.blocks / blocksOf(launch);
    const std::uint64_t enough = (bytes + 31) / 32;
    if (launch.warps.sectors > 2 * enough)
        fail("uncoalesced", about,
             "the warps access {} of 32 bytes, but {} would be enough:\nthe threads of a warp take "
             "turns. Let one statement load or store for all.",
             lab::count(launch.warps.sectors, "sector"), lab::count(enough, "sector"));
}

std::ptrdiff_t timesCalled(const std::string& function) {
    return std::count(cusim::calls().begin(), cusim::calls().end(), function);
}

bool isCopiedIn(const matrix::Matrix& input) {
    std::map<int, const void*> last;  // by allocation
    for (const cusim::StreamStep& step : cusim::streamSteps()) {
        if (step.what == cusim::StreamStep::Launch) break;
        if (step.what == cusim::StreamStep::CopyIn) last[step.allocation] = step.host;
    }
    const void* const data = input.data();
    return std::any_of(last.begin(), last.end(), [&](auto& one) { return one.second == data; });
}

void expectCopiedIn(const Text& about, const std::string& name, const matrix::Matrix& input) {
    if (!isCopiedIn(input))
        fail("not-copied-in", about,
             "no device memory holds {} when the kernel is launched:\ncheck the cudaMemcpy before.",
             name);
}

std::string divideAndRoundUp() {
    std::ifstream in(testing::fromEnvironment("LAB_KERNEL"));
    std::string text;
    for (int line = 1; std::getline(in, text); ++line) {
        text.erase(std::min(text.find("//"), text.size()));
        const std::size_t call = text.find("ceil"), end = text.find(')', call);
        if (call == std::string::npos || text.find('/', call) >= end) continue;
        bool isFraction = false;  // as in 16.0
        for (std::size_t at = call + 1; at < end; ++at)
            isFraction |= text[at] == '.' && std::isdigit(static_cast<unsigned char>(text[at - 1]));
        if (!isFraction)
            return filled(
                "In line {}, the quotient of two integers is cut off before ceil rounds "
                "it up.",
                line);
    }
    return "Divide and round up. (In C++, 1 / 16 is 0.)";
}

std::string ifExchanged(const cusim::LaunchReport& launch, int columns, int rows) {
    const dim3 &grid = launch.grid, &block = launch.block;  // one block was meant as one
    if (grid.z * block.z != 1 || blocksOf(launch) <= 1) return "";
    if (block.x != tilesIn(columns, grid.x) || block.y != tilesIn(rows, grid.y)) return "";
    return "\nThe grid comes first: write kernel<<<grid, block>>>(...).";
}

void expectTwoDimensions(const Text& about, const cusim::LaunchReport& launch, int columns,
                         int rows) {
    const auto elements = static_cast<std::uint64_t>(columns) * static_cast<std::uint64_t>(rows);
    const bool inRow = launch.grid.y == 1 && launch.block.y == 1 && rows > 1;
    if (!inRow || launch.grid.x < (elements + launch.block.x - 1) / launch.block.x) return;
    fail({{"grid-size", {launch.at.file, launch.at.line}}},
         filled("{}: {} of {} along x cover the {}.\nThe exercise asks for a grid of two "
                "dimensions: columns along x, rows along y;\nCUDA itself does not.",
                about, count(launch.grid.x, "block"), count(launch.block.x, "thread"),
                count(elements, "element")));
}

std::optional<std::size_t> firstOther(const std::vector<std::uint32_t>& counts,
                                      std::uint32_t wanted, std::size_t elements) {
    for (std::size_t i = 0; i < std::min(counts.size(), elements); ++i)
        if (counts[i] != wanted) return i;
    return std::nullopt;
}

std::uint64_t readsOfDevice(const cusim::LaunchReport& launch) {
    constexpr std::size_t kFew = 64;
    std::size_t constants = 0;
    for (const cusim::ArrayReport& array : launch.arrays)
        if (array.space == cusim::Space::Constant) constants += array.bytes;
    return floatsRead(launch.global()) +
           (constants > kFew ? floatsRead(launch.space[static_cast<int>(cusim::Space::Constant)])
                             : 0);
}

void expectNoOtherReads(const Text& about, const matrix::DataSet& inputs, const matrix::Matrix& P) {
    const cusim::LaunchReport& first = launchOf(about);
    const auto loadsOf = [](const cusim::ArrayReport* array, const matrix::Matrix& matrix) {
        if (!array) return std::uint64_t{0};
        const auto& loads = array->elementLoads;
        const auto size = static_cast<std::ptrdiff_t>(std::min(loads.size(), matrix.size()));
        return std::accumulate(loads.begin(), loads.begin() + size, std::uint64_t{0});
    };
    const std::uint64_t wanted = loadsOf(first.filledFrom(inputs.M.data()), inputs.M) +
                                 loadsOf(first.filledFrom(inputs.N.data()), inputs.N);
    std::uint64_t all = 0;
    for (const cusim::LaunchReport& launch : cusim::launches()) all += readsOfDevice(launch);
    const std::uint64_t known = wanted + loadsOf(first.copiedInto(P.data()), P);
    if (all <= known + wanted) return;
    fail("load-count", about,
         "besides {} of M and N there are {} of other device\nmemory, or by atomics. Load each "
         "element of M and N itself into a tile.",
         count(wanted, "load"), count(all - known, "read"));
}

std::string perRequest(std::uint64_t parts, std::uint64_t requests) {
    char text[32];
    std::snprintf(text, sizeof text, parts % requests == 0 ? "%.0f" : "%.1f",
                  static_cast<double>(parts) / static_cast<double>(requests));
    return text;
}

}  // namespace lab
