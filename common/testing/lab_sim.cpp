#include "testing/lab_sim.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <map>

#include "testing/found_sim.h"

namespace lab {

std::vector<cusim::Finding> findingsOf(const std::string& kind) {
    std::vector<cusim::Finding> all;
    std::copy_if(cusim::findings().begin(), cusim::findings().end(), std::back_inserter(all),
                 [&](const cusim::Finding& finding) { return finding.kind == kind; });
    return all;
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

const cusim::LaunchReport& launchOf(const Text& about, const std::string& sentence) {
    if (cusim::launches().empty()) fail("not-launched", about, "{}", sentence);
    return cusim::launches().front();
}

const cusim::LaunchReport& givenLaunchOf(const Text& about, const std::string& file) {
    return launchOf(about, "no kernel is launched. The host side is complete as it came with\n" +
                               file + "; restore it.");
}

std::uint64_t blocksOf(const cusim::LaunchReport& launch) {
    return std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
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
    return std::any_of(last.begin(), last.end(),
                       [&](const auto& one) { return one.second == input.data(); });
}

void expectCopiedIn(const Text& about, const std::string& name, const matrix::Matrix& input) {
    if (!isCopiedIn(input))
        fail("not-copied-in", about,
             "no device memory holds {} when the kernel is launched, so that its loads\ncannot be "
             "judged. See the cudaMemcpy in front of the launch.",
             name);
}

std::string ifExchanged(const cusim::LaunchReport& launch, int columns, int rows) {
    const auto blocksFor = [](int elements, unsigned threads) {
        return (static_cast<unsigned>(elements) + threads - 1) / threads;
    };
    const dim3 &grid = launch.grid, &block = launch.block;
    const bool right = grid.z == 1 && block.z == 1 && grid.x > 0 && grid.y > 0 &&
                       block.x == blocksFor(columns, grid.x) && block.y == blocksFor(rows, grid.y);
    return right ? "\nThe grid comes first: is it kernel<<<grid, block>>>(...)?" : "";
}

std::optional<std::size_t> firstOther(const std::vector<std::uint32_t>& counts,
                                      std::uint32_t wanted, std::size_t elements) {
    for (std::size_t i = 0; i < std::min(counts.size(), elements); ++i)
        if (counts[i] != wanted) return i;
    return std::nullopt;
}

std::string perRequest(std::uint64_t parts, std::uint64_t requests) {
    char text[32];
    std::snprintf(text, sizeof text, parts % requests == 0 ? "%.0f" : "%.1f",
                  static_cast<double>(parts) / static_cast<double>(requests));
    return text;
}

}  // namespace lab
