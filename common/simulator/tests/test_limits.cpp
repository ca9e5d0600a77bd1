#include <functional>

#include "chosen_options.h"
#include "kernels_limits.h"
#include "simulator/core/source_lines.h"
#include "simulator/simulator.h"
#include "testing/catch.h"

namespace {

// The kind of the only finding, after a check that it stands on the line with this mark; empty
// where nothing was found.
std::string kindFound(const std::function<void()>& launch, const std::string& mark) {
    cusim::reset();
    launch();
    if (cusim::findings().empty()) return "";
    REQUIRE(cusim::findings().size() == 1);
    const cusim::Finding finding = cusim::findings()[0];
    INFO(cusim::text(finding));
    const std::string line = cusim::sourceLine(finding.file, finding.line);
    CHECK(line.find("// " + mark) != std::string::npos);
    return finding.kind;
}

}  // namespace

TEST_CASE("An index past a row is found although it lies inside the array") {
    const ChosenOptions chosen;
    CHECK(kindFound([] { limits::storeInRow(3); }, "") == "");
    CHECK(kindFound([] { limits::storeInRow(4); }, "insideRow") == "out-of-bounds");
    CHECK(kindFound([] { limits::storeInRow(-1); }, "insideRow") == "out-of-bounds");
}

TEST_CASE("A float4 must start at a multiple of four floats") {
    const ChosenOptions chosen;
    CHECK(kindFound([] { limits::storeVector(0); }, "") == "");
    CHECK(kindFound([] { limits::storeVector(4); }, "") == "");
    CHECK(kindFound([] { limits::storeVector(1); }, "offAlignment") == "misaligned");
    CHECK(kindFound([] { limits::storeVector(2); }, "offAlignment") == "misaligned");
}

TEST_CASE("A structure may start wherever its members may") {
    const ChosenOptions chosen;
    CHECK(limits::copyInPieces() == std::vector<float>{2, 3, 3});
    CHECK(cusim::findings().empty());
}

TEST_CASE("memcpy and memset in a kernel are checked and counted") {
    const ChosenOptions chosen;
    CHECK(kindFound([] { limits::copyBytes(64); }, "") == "");
    CHECK(cusim::launches().at(0).global().loadedBytes == 64);
    CHECK(cusim::launches().at(0).global().storedBytes == 64);
    CHECK(kindFound([] { limits::copyBytes(65); }, "copyTooFar") == "out-of-bounds");
    CHECK(kindFound([] { limits::clearBytes(64); }, "") == "");
    CHECK(kindFound([] { limits::clearBytes(68); }, "clearTooFar") == "out-of-bounds");
}

TEST_CASE("A kernel without end is stopped on the line where it spins") {
    const ChosenOptions chosen;
    cusim::options().secondLimit = 0.3;
    CHECK(kindFound([] { limits::spinOnMemory(true); }, "") == "");
    CHECK(kindFound([] { limits::spinOnMemory(false); }, "spins") == "endless-kernel");
    CHECK(cudaGetLastError() == cudaErrorLaunchTimeout);
    CHECK(kindFound([] { limits::countInSteps(1); }, "") == "");
    CHECK(kindFound([] { limits::countInSteps(0); }, "counts") == "endless-kernel");
    CHECK(kindFound([] { limits::passBarriers(1); }, "") == "");
}

TEST_CASE("A loop of barriers without end is stopped at the barrier") {
    const ChosenOptions chosen;
    CHECK(kindFound([] { limits::passBarriers(0); }, "passes") == "endless-kernel");
}
