#include <functional>

#include "chosen_options.h"
#include "kernels_limits.h"
#include "simulator/findings/source_lines.h"
#include "simulator/simulator.h"
#include "testing/catch.h"

namespace {

// Returns the kind of the only finding, or nothing without a finding. Checks that the finding
// stands on the line with this mark.
std::string kindFound(const std::function<void()>& launch, const std::string& mark) {
    cusim::reset();
    launch();
    if (cusim::findings().empty()) return "";
    const cusim::Finding finding = onlyFinding();
    INFO(cusim::text(finding));
    CHECK(holds(cusim::sourceLine(finding.file, finding.line), "// " + mark));
    return finding.kind;
}

}  // namespace

DEVICE_TEST("An index past a row is found although it lies inside the array") {
    CHECK(kindFound([] { limits::storeInRow(3); }, "") == "");
    const auto asksForLoop = [] {
        return holds(cusim::findings().at(0).remedy, "Does a loop go up to");
    };
    CHECK(kindFound([] { limits::storeInRow(4); }, "insideRow") == "out-of-bounds");
    CHECK(asksForLoop());
    CHECK(kindFound([] { limits::storeInRow(-1); }, "insideRow") == "out-of-bounds");
    CHECK_FALSE(asksForLoop());
}

DEVICE_TEST("A float4 must start at a multiple of four floats") {
    CHECK(kindFound([] { limits::storeVector(0); }, "") == "");
    CHECK(kindFound([] { limits::storeVector(4); }, "") == "");
    CHECK(kindFound([] { limits::storeVector(1); }, "offAlignment") == "misaligned");
    CHECK(kindFound([] { limits::storeVector(2); }, "offAlignment") == "misaligned");
}

DEVICE_TEST("A structure may start wherever its members may") {
    CHECK(limits::copyInPieces() == std::vector<float>{2, 3, 3});
    CHECK(cusim::findings().empty());
}

DEVICE_TEST("memcpy and memset in a kernel are checked and counted") {
    CHECK(kindFound([] { limits::copyBytes(64); }, "") == "");
    CHECK(cusim::launches().at(0).global().loadedBytes == 64);
    CHECK(cusim::launches().at(0).global().storedBytes == 64);
    CHECK(kindFound([] { limits::copyBytes(65); }, "copyTooFar") == "out-of-bounds");
    CHECK(kindFound([] { limits::clearBytes(64); }, "") == "");
    CHECK(kindFound([] { limits::clearBytes(68); }, "clearTooFar") == "out-of-bounds");
}

DEVICE_TEST("A kernel without end is stopped at the loop in which it stays") {
    cusim::options().secondLimit = 0.3;
    CHECK(kindFound([] { limits::spinOnMemory(true); }, "") == "");
    CHECK(kindFound([] { limits::spinOnMemory(false); }, "spins") == "endless-kernel");
    CHECK(cudaGetLastError() == cudaErrorLaunchTimeout);
    CHECK(kindFound([] { limits::countInSteps(1); }, "") == "");
    CHECK(kindFound([] { limits::countInSteps(0); }, "counts") == "endless-kernel");
    CHECK(kindFound([] { limits::doNothing(false); }, "") == "");
    CHECK(kindFound([] { limits::doNothing(true); }, "doesNothing") == "endless-kernel");
    CHECK(kindFound([] { limits::countInCallee(0); }, "countsInCallee") == "endless-kernel");
    CHECK(kindFound([] { limits::passBarriers(1); }, "") == "");
}

DEVICE_TEST("Of nested loops the one that does not end is named") {
    cusim::options().secondLimit = 1;
    CHECK(kindFound([] { limits::nest(1, 1); }, "") == "");
    CHECK(kindFound([] { limits::nest(0, 1); }, "outerLoop") == "endless-kernel");
    cusim::options().secondLimit = 20;  // of which a twentieth is left
    CHECK(kindFound([] { limits::nest(1, 0); }, "innerLoop") == "endless-kernel");
}

DEVICE_TEST("A loop of barriers without end is stopped at the loop") {
    cusim::options().secondLimit = 0.3;
    CHECK(kindFound([] { limits::passBarriers(0); }, "passes") == "endless-kernel");
    CHECK(cusim::findings()[0].details.at(0).find("a block has passed ") == 0);
}

DEVICE_TEST("A kernel that is slow and ends is not taken for endless") {
    // Exceeds the number of barriers that may take long, but each is quick.
    cusim::options().barrierLimit = 1000;
    CHECK(kindFound([] { limits::passManyBarriers(30000); }, "") == "");
    // Takes long, but passes few barriers.
    cusim::options().barrierLimit = 20000;
    cusim::options().secondLimit = 1e-3;
    CHECK(kindFound([] { limits::passManyBarriers(9000); }, "") == "");
}

DEVICE_TEST("A kernel that was endless is not waited for as long the next time") {
    cusim::options().secondLimit = 2;
    const auto secondsOf = [](int step) {
        cusim::reset();
        limits::countAgain(step);
        CHECK(cusim::findings().size() == (step == 0 ? 1u : 0u));
        return cusim::launches().at(0).seconds;
    };
    const double first = secondsOf(0);
    CHECK(secondsOf(0) < 0.8 * first);  // a tenth, where no other program runs
    // A kernel that was found endless may still end on other data.
    secondsOf(1);
}
