// Tests that a fault of host code is found with its line, and that exit(), exceptions and crashes
// end the guarded call only.
#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "chosen_options.h"
#include "kernels_host.h"
#include "simulator/findings/source_lines.h"
#include "simulator/include/cusim/errors.h"
#include "simulator/include/cusim/memory_api.h"
#include "simulator/include/cusim/stream_api.h"
#include "testing/catch.h"

namespace {

using cusim::Outcome;

Outcome runGuarded(const std::string& fault) {
    cusim::reset();
    return cusim::guarded([&] { host_faults::run(fault); });
}

struct Case {
    std::string fault, kind, title;
    cudaError_t error = cudaErrorInvalidValue;
};

const std::vector<Case> kCalls{
    {"wrongDirection", "wrong-direction", "target is a device pointer"},
    {"swappedArguments", "wrong-direction", "target is no device pointer"},
    {"copyTooLarge", "wild-copy", "17 bytes do not fit the target, d_x"},
    {"copyPartlyOutside", "wild-copy", "16 bytes do not fit the source, d_x"},
    {"copyAfterFree", "use-after-free", "d_x was freed"},
    {"copyNull", "null-pointer", "source is null"},
    {"setTooLarge", "wild-copy", "20 bytes do not fit"},
    {"setOnHost", "wrong-direction", "no device pointer"},
    {"doubleFree", "double-free", "d_x is freed twice"},
    {"freeInside", "invalid-free", "no allocation starts there"},
    {"freeHostMemory", "invalid-free", "no allocation starts there"},
    {"freePinnedWrongly", "invalid-free", "no allocation starts there"},
    {"symbolTooLarge", "wild-copy", "20 bytes do not fit filter"},
    {"symbolWrongOffset", "wild-copy", "8 bytes do not fit filter"},
    {"pitchOfTarget", "invalid-pitch", "a row of the target is 4 bytes",
     cudaErrorInvalidPitchValue},
    {"pitchOfSource", "invalid-pitch", "a row of the source is 4 bytes",
     cudaErrorInvalidPitchValue},
    {"noSymbol", "invalid-symbol", "no __device__ or __constant__", cudaErrorInvalidSymbol},
    {"addressOfNoSymbol", "invalid-symbol", "no __device__ or __constant__",
     cudaErrorInvalidSymbol},
    {"copiedToName", "invalid-symbol", "whose address the host does not"},
    {"noBlocks", "invalid-launch", "has no blocks", cudaSuccess},
    {"uncheckedLaunch", "unchecked-launch", "launch of nothing", cudaSuccess},
    {"leak", "leak", "d_x is never freed", cudaSuccess},
};

void checkFinding(const cusim::Finding& finding, const std::string& fault, const std::string& kind,
                  const std::string& title) {
    INFO(cusim::text(finding));
    CHECK(finding.kind == kind);
    CHECK(holds(finding.title, title));
    CHECK(holds(finding.file, "kernels_host.cu"));
    CHECK(holds(cusim::sourceLine(finding.file, finding.line), "// " + fault));
    CHECK_FALSE(finding.inThread);
    CHECK_FALSE(finding.remedy.empty());
}

}  // namespace

DEVICE_TEST("A wrong call of the runtime is found on its line and returns an error") {
    for (const Case& one : kCalls) {
        INFO(one.fault);
        CHECK(runGuarded(one.fault).how == Outcome::Returned);
        checkFinding(onlyFinding(), one.fault, one.kind, one.title);
        CHECK(cudaGetLastError() == one.error);
        CHECK(cudaGetLastError() == cudaSuccess);
    }
}

DEVICE_TEST("A copy in the wrong direction is told the kind that its two arguments need") {
    const auto remedyOf = [](const std::string& fault) {
        runGuarded(fault);
        return cusim::findings().at(0).remedy;
    };
    CHECK(holds(remedyOf("wrongDirection"), "to device the kind is cudaMemcpyHostToDevice"));
    CHECK(holds(remedyOf("swappedArguments"), "to host the kind is cudaMemcpyDeviceToHost"));
    CHECK(holds(remedyOf("setOnHost"), "Has cudaMalloc set the pointer"));
}

DEVICE_TEST(
    "Host code that uses a device variable by its name is found, a managed one may be used") {
    for (const Case& one :
         {Case{"hostReadsVariable", "host-touches-device", "reads onDevice", cudaSuccess},
          Case{"hostWritesConstant", "host-touches-device", "writes inConstant", cudaSuccess}}) {
        INFO(one.fault);
        CHECK(runGuarded(one.fault).how == Outcome::Returned);
        checkFinding(onlyFinding(), one.fault, one.kind, one.title);
    }
    runGuarded("hostUsesManaged");
    CHECK(cusim::findings().empty());
}

DEVICE_TEST("A copy past the end of host memory that was told is found, and nothing is copied") {
    const float* const onHost = host_faults::hostMemory();
    const auto kindsOf = [&](const std::string& fault) {
        runGuarded(fault);
        std::vector<std::string> kinds;
        for (const cusim::Finding& finding : cusim::findings()) {
            checkFinding(finding, fault, "wild-copy", "in host memory");
            kinds.push_back(finding.details.at(0));
        }
        return kinds;
    };
    CHECK(kindsOf("copyToEndOfHost").empty());
    cusim::describeHostMemory(onHost, 16);
    CHECK(kindsOf("copyToEndOfHost").empty());
    cusim::forgetHostMemory();
    cusim::describeHostMemory(onHost, 8);
    const std::vector<std::string> tooFar = kindsOf("copyToEndOfHost");
    CHECK(tooFar == std::vector<std::string>{"from there to its end are 4 bytes (1 float)"});
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    CHECK(kindsOf("symbolToEndOfHost").size() == 2);
    cusim::forgetHostMemory();
    CHECK(kindsOf("symbolToEndOfHost").empty());
}

DEVICE_TEST("A crash of host code ends the guarded call with a finding") {
    const std::vector<Case> crashes{
        {"hostReads", "host-touches-device", "uses device memory directly: d_x", cudaSuccess},
        {"hostWrites", "host-touches-device", "uses device memory directly: d_x", cudaSuccess},
        {"hostReadsAfterUse", "host-touches-device", "device memory directly: d_x", cudaSuccess},
        {"hostNull", "host-crash", "null pointer", cudaSuccess},
        {"hostDivides", "division-by-zero", "divides an integer by zero", cudaSuccess},
        {"hostSpins", "endless-host", "does not come to an end", cudaSuccess},
        {"hostCallsForEver", "endless-host", "does not come to an end", cudaSuccess},
    };
    cusim::options().secondLimit = 0.2;
    for (int run = 0; run < 3; ++run)
        for (const Case& one : crashes) {
            INFO(one.fault);
            const Outcome outcome = runGuarded(one.fault);
            CHECK(outcome.how == Outcome::Faulted);
            checkFinding(onlyFinding(), one.fault, one.kind, one.title);
            CHECK(outcome.message == cusim::findings()[0].title);
        }
    CHECK(runGuarded("returns").how == Outcome::Returned);
    CHECK(cusim::findings().empty());
}

DEVICE_TEST("Host code that gets little of a core is not taken for an endless loop") {
    cusim::options().secondLimit = 0.2;
    CHECK(runGuarded("hostSpins").how == Outcome::Faulted);
    cusim::options().secondLimit = 5;  // 0.5 s for host code that was endless before
    using Clock = std::chrono::steady_clock;
    const Outcome outcome = cusim::guarded([] {
        const auto start = Clock::now();
        while (Clock::now() - start < std::chrono::milliseconds(900)) {
            const auto round = Clock::now();
            for (volatile int i = 0; i < 200000;) i = i + 1;
            std::this_thread::sleep_for(1.5 * (Clock::now() - round));
        }
    });
    CHECK(outcome.how == Outcome::Returned);
}

DEVICE_TEST("exit, abort and exceptions end the guarded call and are told apart") {
    CHECK(runGuarded("exits").how == Outcome::Exited);
    CHECK(runGuarded("exits").exitStatus == 3);
    CHECK(cusim::findings().empty());
    CHECK(runGuarded("aborts").how == Outcome::Exited);
    CHECK(runGuarded("aborts").exitStatus == 134);
    CHECK(runGuarded("throwsError").how == Outcome::Threw);
    CHECK(runGuarded("throwsError").message == "seven");
    CHECK(runGuarded("throwsText").how == Outcome::Threw);
    CHECK(runGuarded("throwsText").message == "text");
    CHECK(runGuarded("throwsNumber").how == Outcome::Threw);
    CHECK(runGuarded("returns").how == Outcome::Returned);
}

DEVICE_TEST("exit behind a call that failed names the call, its line and its error") {
    CHECK(runGuarded("exits").message.empty());
    const Outcome outcome = runGuarded("exitsForAttribute");
    INFO(outcome.message);
    CHECK(outcome.how == Outcome::Exited);
    CHECK(cusim::findings().empty());
    CHECK(holds(outcome.message,
                "cudaFuncSetAttribute had failed: invalid argument; 1048576 bytes "
                "of shared memory are asked for"));
    const std::size_t at = outcome.message.find(".cu:");
    REQUIRE(at != std::string::npos);
    CHECK(holds(cusim::sourceLine(outcome.message.substr(0, at + 3),
                                  std::stoi(outcome.message.substr(at + 4))),
                "// exitsForAttribute"));
    CHECK(runGuarded("exits").message.empty());
}

DEVICE_TEST("Guarded calls may stand inside one another") {
    Outcome inner;
    const Outcome outer = cusim::guarded([&] {
        inner = cusim::guarded([] { host_faults::run("exits"); });
        host_faults::run("throwsText");
    });
    CHECK(inner.how == Outcome::Exited);
    CHECK(outer.how == Outcome::Threw);
}

DEVICE_TEST("Right host code leaves no finding") {
    CHECK(cusim::guarded([] { host_faults::copyThere(); }).how == Outcome::Returned);
    checkNothingFound();
    CHECK(cudaGetLastError() == cudaSuccess);
}

DEVICE_TEST("A thread_local variable of host code is no shared memory") {
    CHECK(host_faults::threadLocalsLastThroughALaunch());
}

DEVICE_TEST("Launch shapes are accepted up to the device's limits and refused beyond them") {
    struct Shape {
        dim3 grid, block;
        bool good;
    };
    for (const Shape& s : std::vector<Shape>{{{1, 1, 1}, {1024, 1, 1}, true},
                                             {{1, 1, 1}, {1, 1024, 1}, true},
                                             {{1, 1, 1}, {16, 1, 64}, true},
                                             {{1, 1, 1}, {1025, 1, 1}, false},
                                             {{1, 1, 1}, {1, 1025, 1}, false},
                                             {{1, 1, 1}, {33, 32, 1}, false},
                                             {{1, 1, 1}, {1, 1, 65}, false},
                                             {{1, 1, 1}, {65536, 65536, 1}, false},
                                             {{1, 1, 1}, {0, 1, 1}, false},
                                             {{1, 1, 1}, {1, 1, 0}, false},
                                             {{0, 1, 1}, {1, 1, 1}, false},
                                             {{1, 0, 1}, {1, 1, 1}, false},
                                             {{1, 1, 0}, {1, 1, 1}, false},
                                             {{1, 65535, 1}, {1, 1, 1}, true},
                                             {{1, 65536, 1}, {1, 1, 1}, false},
                                             {{1, 1, 65536}, {1, 1, 1}, false},
                                             {{70000, 1, 1}, {1, 1, 1}, true},
                                             {{2147483648u, 1, 1}, {1, 1, 1}, false}}) {
        INFO(s.grid.x << "," << s.grid.y << "," << s.grid.z << " x " << s.block.x << ","
                      << s.block.y << "," << s.block.z);
        cusim::reset();
        host_faults::launchShape(s.grid, s.block);
        CHECK(cudaGetLastError() == (s.good ? cudaSuccess : cudaErrorInvalidConfiguration));
        CHECK(cusim::findings().size() == (s.good ? 0u : 1u));
        REQUIRE(cusim::launches().size() == 1);
        CHECK(cusim::launches()[0].completed == s.good);
        // A refused launch leaves the device usable.
        CHECK(cudaDeviceSynchronize() == cudaSuccess);
    }
}

DEVICE_TEST("A launch without threads asks for a quotient, one of too many for the order") {
    const auto remedyFor = [](unsigned grid, unsigned block) {
        cusim::reset();
        host_faults::launchShape(grid, block);
        return onlyFinding().remedy;
    };
    CHECK(holds(remedyFor(0, 32), "divide and round up"));
    CHECK(holds(remedyFor(32, 0), "divide and round up"));
    CHECK(holds(remedyFor(256, 2000), "It is <<<grid, block>>>"));
    CHECK(holds(remedyFor(1025, 2000), "Take smaller blocks, and more of them. "));
}

DEVICE_TEST("More than 48 KiB of shared memory need an attribute first") {
    host_faults::launchWithDynamicShared(48 * 1024);
    CHECK(cudaGetLastError() == cudaSuccess);
    host_faults::launchWithDynamicShared(48 * 1024 + 1);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    CHECK(onlyFinding().kind == "invalid-launch");
    CHECK(holds(onlyFinding().remedy, "cudaFuncSetAttribute"));
    CHECK(holds(onlyFinding().remedy, "Nothing was asked for so far"));
    host_faults::launchAfterOptIn(49 * 1024);
    host_faults::launchWithDynamicShared(50 * 1024);
    REQUIRE(cusim::findings().size() == 2);
    CHECK(holds(cusim::findings()[1].remedy, "Asked for so far: 50176"));
    host_faults::launchWithDynamicShared(1024 * 1024);
    REQUIRE(cusim::findings().size() == 3);
    CHECK(holds(cusim::findings()[2].remedy, "Take less shared memory"));
    cusim::reset();
    host_faults::launchAfterOptIn(96 * 1024);
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(cusim::findings().empty());
    CHECK(cusim::launches().back().completed);
    // The kernel keeps the attribute until the device is reset.
    host_faults::launchWithDynamicShared(64 * 1024);
    CHECK(cudaGetLastError() == cudaSuccess);
    cusim::reset();
    host_faults::launchWithDynamicShared(64 * 1024);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    cusim::reset();
    // The kernel's own arrays take 16 KiB of the 96.
    CHECK(host_faults::statusOfAttribute(80 * 1024) == cudaSuccess);
    CHECK(host_faults::statusOfAttribute(80 * 1024 + 1) == cudaErrorInvalidValue);
    CHECK(host_faults::statusOfAttribute(-1) == cudaErrorInvalidValue);
}

DEVICE_TEST("The so-many-th call can be made to fail, and no other one") {
    float* pointer = nullptr;
    cusim::failNext("cudaMalloc:2", cudaErrorMemoryAllocation);
    CHECK(cudaMalloc(&pointer, 16) == cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(cudaMalloc(&pointer, 16) == cudaErrorMemoryAllocation);
    CHECK(cudaMalloc(&pointer, 16) == cudaSuccess);
}

DEVICE_TEST("A call can be made to fail once, by name") {
    float* pointer = nullptr;
    cusim::failNext("cudaMalloc", cudaErrorMemoryAllocation);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(cudaMalloc(&pointer, 16) == cudaErrorMemoryAllocation);
    CHECK(pointer == nullptr);
    CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
    CHECK(cudaMalloc(&pointer, 16) == cudaSuccess);

    cusim::failNext("launch", cudaErrorLaunchOutOfResources);
    host_faults::launchShape(1, 1);
    CHECK(cudaGetLastError() == cudaErrorLaunchOutOfResources);
    CHECK_FALSE(cusim::launches().back().completed);
    host_faults::launchShape(1, 1);
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(cusim::launches().back().completed);
    CHECK(cusim::findings().empty());
    const std::vector<std::string> expected{"cudaDeviceSynchronize", "cudaMalloc", "cudaMalloc",
                                            "launch", "launch"};
    CHECK(cusim::calls() == expected);
}
