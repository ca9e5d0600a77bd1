// Tests that a launch accepts __global__ functions only.
#include "chosen_options.h"
#include "kernels_declared.h"
#include "simulator/findings/finding.h"
#include "simulator/include/cusim/errors.h"

DEVICE_TEST("A kernel is known as one in every form of its declaration and of its launch") {
    int all = 0;
    const int ran = declared::runAll(all);
    CHECK(ran == all);
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(cusim::findings().empty());
}

TEST_CASE("A function without __global__ is not launched, by whatever way it comes") {
    for (int (*const way)() : {declared::byPointer, declared::byHelper, declared::byCall}) {
        cusim::reset();
        CHECK(way() == 0);
        CHECK(cudaGetLastError() == cudaErrorInvalidDeviceFunction);
        const cusim::Finding finding = onlyFinding();
        INFO(cusim::text(finding));
        CHECK(finding.kind == "invalid-launch");
        CHECK(holds(finding.title, "without __global__"));
        CHECK(holds(finding.file, "kernels_declared.cu"));
        CHECK(finding.line > 0);
    }
}
