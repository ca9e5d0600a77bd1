// Tests that a launch accepts __global__ functions only.
#include "kernels_declared.h"
#include "simulator/findings/finding.h"
#include "simulator/include/cusim/errors.h"
#include "simulator/simulator.h"
#include "testing/catch.h"

TEST_CASE("A kernel is known as one in every form of its declaration and of its launch") {
    cusim::reset();
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
        REQUIRE(cusim::findings().size() == 1);
        const cusim::Finding& finding = cusim::findings()[0];
        INFO(cusim::text(finding));
        CHECK(finding.kind == "invalid-launch");
        CHECK(finding.title.find("without __global__") != std::string::npos);
        CHECK(finding.file.find("kernels_declared.cu") != std::string::npos);
        CHECK(finding.line > 0);
    }
}
