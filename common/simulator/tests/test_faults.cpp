// Tests that a kernel's fault is found with line and thread, and does not harm the next launch.
#include <string>
#include <vector>

#include "chosen_options.h"
#include "kernels_faults.h"
#include "simulator/findings/source_lines.h"
#include "simulator/include/cusim/errors.h"
#include "simulator/include/cusim/stream_api.h"
#include "testing/catch.h"

namespace {

struct Case {
    std::string fault, kind, title;
    cudaError_t error = cudaErrorLaunchFailure;
    bool hasMark = true;  // the line carries the fault's name
    bool ofThread = true;
};

const std::vector<Case>& cases() {
    const cudaError_t illegal = cudaErrorIllegalAddress;
    static const std::vector<Case> all{
        {"readPastEnd", "out-of-bounds", "reads past the end of", illegal},
        {"writePastEnd", "out-of-bounds", "writes past the end of", illegal},
        {"readBeforeStart", "out-of-bounds", "reads", illegal},
        {"halfOutside", "out-of-bounds", "reads past the end of", illegal},
        {"updatePastEnd", "out-of-bounds", "updates past the end of", illegal},
        {"sharedPastEnd", "out-of-bounds", "past the end of shared array bytes", illegal},
        {"dynamicPastEnd", "out-of-bounds", "past the end of shared array", illegal},
        {"dynamicNotGiven", "out-of-bounds", "shared memory", illegal},
        {"nullPointer", "null-pointer", "reads through a null pointer", illegal},
        {"hostPointer", "host-pointer", "reads memory that no device has", illegal},
        {"hostVariable", "host-pointer", "reads onHost, a variable of the host", illegal},
        {"staticLocal", "host-pointer", "reads kept, a static variable of a function", illegal},
        {"wildPointer", "host-pointer", "reads memory that no device has", illegal},
        {"useAfterFree", "use-after-free", "reads d_freed after cudaFree", illegal},
        {"writeConstant", "constant-write", "writes table, which is __constant__"},
        {"divideByZero", "division-by-zero", "divides an integer by zero"},
        {"overflowStack", "stack-overflow", "stack", cudaErrorLaunchFailure, false},
        {"hugeLocal", "stack-overflow", "stack", cudaErrorLaunchFailure, false},
        {"failAssertion", "assert", "assertion failed: !culprit()", cudaErrorAssert},
        {"callExit", "unsupported", "calls exit()"},
        {"callAbort", "unsupported", "calls abort()"},
        {"callTrap", "trap", "calls __trap()"},
        // A thrown value is first stored in host memory, which the device sees.
        {"throwNumber", "host-pointer", "writes memory that no device has", illegal, false},
        {"throwError", "exception", "exception: seven", cudaErrorLaunchFailure, false},
        {"divergeAtBarrier", "barrier-divergence", "", cudaErrorLaunchFailure, false, false},
        {"loneLane", "barrier-divergence", "", cudaErrorLaunchFailure, false, false},
        {"strangeMask", "warp-mask", "mask leaves it out"},
        {"wildFunction", "illegal-address", "address", cudaErrorLaunchFailure, false},
        {"launchFromKernel", "unsupported", "launches a kernel"},
    };
    return all;
}

std::string shown(const uint3& index) {
    return std::to_string(index.x) + "," + std::to_string(index.y) + "," + std::to_string(index.z);
}

const Case& caseOf(const std::string& fault) {
    for (const Case& one : cases())
        if (one.fault == fault) return one;
    FAIL("no case " << fault);
    throw;
}

// Returns the one finding that a launch with this fault leaves.
cusim::Finding findingOf(const std::string& fault) {
    cusim::reset();
    faults::launchWith(fault);
    return onlyFinding();
}

}  // namespace

DEVICE_TEST("Each fault of a kernel is found with its kind, line, thread and block") {
    for (const Case& one : cases()) {
        INFO(one.fault);
        const cusim::Finding finding = findingOf(one.fault);
        const std::string text = cusim::text(finding);
        INFO(text);
        CHECK(finding.kind == one.kind);
        CHECK(holds(finding.title, one.title));
        CHECK(holds(finding.file, "kernels_faults.cu"));
        CHECK(finding.line > 0);
        const std::string line = cusim::sourceLine(finding.file, finding.line);
        if (one.hasMark) CHECK(holds(line.substr(line.find("//") + 2), " " + one.fault));
        CHECK(shown(finding.block) == "2,0,0");
        CHECK(finding.inThread == one.ofThread);
        if (one.ofThread) {
            CHECK(shown(finding.thread) == "3,0,0");
            CHECK(holds(text, "thread (3,0,0) of block (2,0,0)"));
        }
        CHECK_FALSE(finding.kernel.empty());
        CHECK_FALSE(finding.remedy.empty());
    }
}

DEVICE_TEST("A failed kernel's error stays until the device is reset") {
    for (const Case& one : cases()) {
        INFO(one.fault);
        findingOf(one.fault);
        REQUIRE(cusim::launches().size() == 1);
        CHECK_FALSE(cusim::launches()[0].completed);
        CHECK(cudaDeviceSynchronize() == one.error);
        CHECK(cudaGetLastError() == one.error);
        CHECK(cudaGetLastError() == one.error);
        CHECK_FALSE(faults::rightKernelRuns());
        cusim::reset();
        CHECK(cudaGetLastError() == cudaSuccess);
        CHECK(faults::rightKernelRuns());
        CHECK(cusim::findings().empty());
    }
}

TEST_CASE("Which finding is reported depends on no worker and no repetition") {
    for (const Case& one : cases()) {
        const ChosenOptions chosen(1);
        INFO(one.fault);
        const std::string expected = cusim::text(findingOf(one.fault));
        for (const int workers : {1, 2, 5}) {
            cusim::options().workers = workers;
            for (int run = 0; run < 10; ++run) {
                INFO(workers << " workers, run " << run);
                CHECK(cusim::text(findingOf(one.fault)) == expected);
            }
        }
    }
}

DEVICE_TEST("An index past the end is told in elements, with the array's size and origin") {
    const std::string text = cusim::text(findingOf("readPastEnd"));
    INFO(text);
    CHECK(holds(text, "index 8"));
    CHECK(holds(text, "32 bytes (8 elements of 4 bytes)"));
    CHECK(holds(text, "on_device.h:"));
}

DEVICE_TEST("An index past a matrix whose shape is known is told in rows and columns") {
    cusim::describeMatrix(nullptr, 2, 4);
    const std::string text = cusim::text(findingOf("readPastEnd"));
    cusim::forgetMatrices();
    INFO(text);
    CHECK(holds(text, "counted by rows that is row 2, column 0 of a matrix of 2 rows"));
}

DEVICE_TEST("Of an access past the end a guard is advised where the thread may lie outside") {
    // Thread 3 of block 2, with 8 threads a block, has number 19 in x.
    const std::string often =
        "Guard the access (if (row < ... && column < ...)). Where it has a guard";
    for (const int least : {1, 19}) {
        cusim::describeMatrix(nullptr, 40, least);
        const std::string remedy = findingOf("readPastEnd").remedy;
        cusim::forgetMatrices();
        INFO(remedy);
        CHECK(holds(remedy, often));
        // The test allocated it, in another file.
        CHECK_FALSE(holds(remedy, "allocation"));
    }
    cusim::describeMatrix(nullptr, 20, 40);
    const std::string remedy = findingOf("readPastEnd").remedy;
    cusim::forgetMatrices();
    INFO(remedy);
    CHECK(holds(remedy, "(number 0 in y, number 19 in x), look at the rest of the index"));
    CHECK(holds(findingOf("readPastEnd").remedy, often));
}

DEVICE_TEST("Memory that was freed is named with the line that freed it") {
    const std::string text = cusim::text(findingOf("useAfterFree"));
    INFO(text);
    CHECK(holds(text, "d_freed holds 16 bytes"));
    CHECK(holds(text, "freed at"));
}

DEVICE_TEST("Threads at different barriers are told apart by line and number") {
    const std::string text = cusim::text(findingOf("divergeAtBarrier"));
    INFO(text);
    const cusim::Finding& finding = cusim::findings()[0];
    REQUIRE(finding.details.size() == 2);
    for (const std::string& detail : finding.details) {
        const std::size_t at = detail.find(".cu:");
        REQUIRE(at != std::string::npos);
        const std::string line = cusim::sourceLine(finding.file, std::stoi(detail.substr(at + 4)));
        const bool lone = holds(line, "// divergeAtBarrier");
        CHECK(lone == holds(detail, "1 thread "));
        CHECK(lone == holds(detail, "(3,0,0)"));
        CHECK((lone || (holds(detail, "7 threads ") && holds(line, "// others"))));
    }
}

DEVICE_TEST("A warp function names the call at which a lane waits") {
    const std::string text = cusim::text(findingOf("loneLane"));
    INFO(text);
    bool found = false;
    const cusim::Finding& finding = cusim::findings()[0];
    for (const std::string& detail : finding.details) {
        const std::size_t at = detail.find(".cu:");
        if (at == std::string::npos) continue;
        const std::string line = cusim::sourceLine(finding.file, std::stoi(detail.substr(at + 4)));
        found |= holds(line, "// loneLane") && holds(detail, "(3,0,0)");
    }
    CHECK(found);
}

TEST_CASE("Near misses of each fault stay silent") {
    underEachSchedule([] {
        faults::launchNearMisses();
        checkNothingFound();
        REQUIRE(cusim::launches().size() == 1);
        CHECK(cusim::launches()[0].completed);
    });
}

TEST_CASE("After many failed launches the device is as good as new") {
    const ChosenOptions chosen(2);
    for (int run = 0; run < 100; ++run)
        for (const std::string fault : {"readPastEnd", "divergeAtBarrier", "divideByZero"})
            CHECK(findingOf(fault).kind == caseOf(fault).kind);
    cusim::reset();
    CHECK(faults::rightKernelRuns());
}
