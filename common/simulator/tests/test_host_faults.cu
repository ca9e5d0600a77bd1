// Tests that a fault of host code is found with its line, and that exit(), exceptions and crashes
// end the guarded call only.
#include <chrono>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "chosen_options.h"
#include "on_device.h"
#include "simulator/findings/source_lines.h"

namespace {

using cusim::Outcome;

__constant__ float filter[4];

__global__ void nothing() {}
__global__ void touch(float* x) { x[threadIdx.x] = 1; }

constexpr std::size_t kBytes = 16;
float onHost[4];

float* allocated() {
    float* d_x;
    cudaMalloc(&d_x, kBytes);  // leak
    return d_x;
}

class Allocated {
  public:
    Allocated() = default;
    ~Allocated() { cudaFree(pointer_); }
    Allocated(const Allocated&) = delete;
    Allocated& operator=(const Allocated&) = delete;
    operator float*() const { return pointer_; }

  private:
    float* pointer_ = allocated();
};

// A function that is wrong, or right by a hair, and what is found of it; the line at fault carries
// the function's name in a comment.
struct Case {
    void (*run)();
    std::string kind, title;
    cudaError_t error = cudaErrorInvalidValue;
    decltype(Outcome::how) how = Outcome::Returned;
};

std::map<std::string, Case>& cases() {
    static std::map<std::string, Case> all;
    return all;
}

// Defines a function that is found by its name.
#define FAULT(name, ...)                                                             \
    void name();                                                                     \
    const bool isKnown_##name = cases().insert({#name, {name, __VA_ARGS__}}).second; \
    void name()

FAULT(hostReads, "host-touches-device", "uses device memory directly: d_x", cudaSuccess,
      Outcome::Faulted) {
    volatile float* const d_x = allocated();
    onHost[0] = d_x[1];  // hostReads
}
FAULT(hostWrites, "host-touches-device", "uses device memory directly: d_x", cudaSuccess,
      Outcome::Faulted) {
    float* d_x = allocated();
    d_x[1] = 2;  // hostWrites
}
FAULT(hostReadsAfterUse, "host-touches-device", "device memory directly: d_x", cudaSuccess,
      Outcome::Faulted) {
    float* const d_x = allocated();
    cudaMemcpy(d_x, onHost, kBytes, cudaMemcpyHostToDevice);
    touch<<<1, 4>>>(d_x);
    cudaMemcpy(onHost, d_x, kBytes, cudaMemcpyDeviceToHost);
    onHost[0] = d_x[1];  // hostReadsAfterUse
}
FAULT(hostNull, "host-crash", "null pointer", cudaSuccess, Outcome::Faulted) {
    volatile int* nothingThere = nullptr;
    *nothingThere = 1;  // hostNull
}
int quotient(int by) { return 12 / by; }  // hostDivides
FAULT(hostDivides, "division-by-zero", "divides an integer by zero", cudaSuccess,
      Outcome::Faulted) {
    volatile int zero = 0;
    onHost[0] = quotient(zero);
}
FAULT(hostRemainder, "division-by-zero", "divides an integer by zero", cudaSuccess,
      Outcome::Faulted) {
    volatile long zero = 0;
    onHost[0] = -12 % zero;  // hostRemainder
}
#pragma GCC diagnostic ignored "-Wreturn-type"
// The register may still hold the right value.
int square(int x) { x *= x; }  // hostReturnsNothing
FAULT(hostReturnsNothing, "missing-return", "without a return", cudaSuccess, Outcome::Faulted) {
    onHost[0] = square(2);
}
// Constructed before the simulator's own statics, which the hooks must survive.
const std::vector<int> madeAtStart{1, 2, 3};

__device__ int onDevice;
__constant__ float inConstant[2];
__managed__ int onBoth;
FAULT(hostReadsVariable, "host-touches-device", "reads onDevice", cudaSuccess) {
    onHost[0] = static_cast<float>(onDevice);  // hostReadsVariable
}
FAULT(hostWritesConstant, "host-touches-device", "writes inConstant", cudaSuccess) {
    for (int i = 0; i < 2; ++i) inConstant[i] = 1;  // hostWritesConstant
}
FAULT(hostUsesManaged) { onBoth = onBoth + 1; }
FAULT(hostSpins, "endless-host", "does not come to an end", cudaSuccess, Outcome::Faulted) {
    for (int i = 0; i < 10; i += onHost[1] == 12345.0f) onHost[0] += 1;  // hostSpins
}
FAULT(hostCallsForEver, "endless-host", "does not come to an end", cudaSuccess, Outcome::Faulted) {
    while (cudaDeviceSynchronize() == cudaSuccess) {  // hostCallsForEver
    }
}
FAULT(wrongDirection, "wrong-direction", "target is a device pointer") {
    const Allocated d_x;
    cudaMemcpy(d_x, onHost, kBytes, cudaMemcpyDeviceToHost);  // wrongDirection
}
FAULT(swappedArguments, "wrong-direction", "target is no device pointer") {
    const Allocated d_x;
    cudaMemcpy(onHost, d_x, kBytes, cudaMemcpyHostToDevice);  // swappedArguments
}
FAULT(copyTooLarge, "wild-copy", "17 bytes do not fit the target, d_x") {
    const Allocated d_x;
    std::vector<float> big(5);
    cudaMemcpy(d_x, big.data(), kBytes + 1, cudaMemcpyHostToDevice);  // copyTooLarge
}
FAULT(copyPartlyOutside, "wild-copy", "16 bytes do not fit the source, d_x") {
    const Allocated d_x;
    cudaMemcpy(onHost, d_x + 1, kBytes, cudaMemcpyDeviceToHost);  // copyPartlyOutside
}
FAULT(copyAfterFree, "use-after-free", "the source is d_x after cudaFree") {
    float* d_x = allocated();
    cudaFree(d_x);
    cudaMemcpy(onHost, d_x, kBytes, cudaMemcpyDeviceToHost);  // copyAfterFree
}
FAULT(copyAfterReset, "use-after-free", "the source is d_x after cudaFree") {
    float* d_x = allocated();
    cudaDeviceReset();
    cudaMemcpy(onHost, d_x, kBytes, cudaMemcpyDeviceToHost);  // copyAfterReset
}
FAULT(copyNull, "null-pointer", "source is null") {
    const Allocated d_x;
    cudaMemcpy(d_x, nullptr, kBytes, cudaMemcpyHostToDevice);  // copyNull
}
FAULT(setTooLarge, "wild-copy", "20 bytes do not fit") {
    const Allocated d_x;
    cudaMemset(d_x, 0, kBytes + 4);  // setTooLarge
}
FAULT(setOnHost, "wrong-direction", "no device pointer") {
    cudaMemset(onHost, 0, kBytes);  // setOnHost
}
FAULT(setAddress, "wrong-direction", "no device pointer") {
    float* d_x = allocated();
    cudaMemset(&d_x, 0, 4);  // setAddress
    cudaFree(d_x);
}
FAULT(doubleFree, "double-free", "d_x is freed twice") {
    float* d_x = allocated();
    cudaFree(d_x);
    cudaFree(d_x);  // doubleFree
}
FAULT(freeInside, "invalid-free", "no allocation starts there") {
    float* d_x = allocated();
    cudaFree(d_x + 1);  // freeInside
    cudaFree(d_x);
}
FAULT(freeHostMemory, "invalid-free", "no allocation starts there") {
    cudaFree(onHost);  // freeHostMemory
}
FAULT(freePinnedWrongly, "invalid-free", "h_x is pinned host memory, allocated in line ") {
    float* h_x;
    cudaMallocHost(&h_x, kBytes);
    cudaFree(h_x);  // freePinnedWrongly
    cudaFreeHost(h_x);
}
FAULT(symbolTooLarge, "wild-copy", "20 bytes do not fit filter") {
    float five[5] = {};
    cudaMemcpyToSymbol(filter, five, sizeof five);  // symbolTooLarge
}
FAULT(symbolWrongOffset, "wild-copy", "8 bytes do not fit filter") {
    cudaMemcpyToSymbol(filter, onHost, 8, 12);  // symbolWrongOffset
}
FAULT(copyToEndOfHost) {
    const Allocated d_x;
    cudaMemcpy(d_x, onHost + 1, 12, cudaMemcpyHostToDevice);  // copyToEndOfHost
}
FAULT(symbolToEndOfHost) {
    cudaMemcpyToSymbol(filter, onHost, 12);    // symbolToEndOfHost
    cudaMemcpyFromSymbol(onHost, filter, 12);  // symbolToEndOfHost
}
FAULT(pitchOfTarget, "invalid-pitch", "a row of the target is 4 bytes",
      cudaErrorInvalidPitchValue) {
    const Allocated d_x;
    cudaMemcpy2D(d_x, 4, onHost, 8, 8, 2, cudaMemcpyHostToDevice);  // pitchOfTarget
}
FAULT(pitchOfSource, "invalid-pitch", "a row of the source is 4 bytes",
      cudaErrorInvalidPitchValue) {
    const Allocated d_x;
    cudaMemcpy2D(d_x, 8, onHost, 4, 8, 2, cudaMemcpyHostToDevice);  // pitchOfSource
}
FAULT(rowBehindSource) {
    const Allocated d_x;
    cudaMemcpy2D(d_x, 4, onHost, 8, 4, 3, cudaMemcpyHostToDevice);  // rowBehindSource
}
FAULT(rowBehindTarget) {
    const Allocated d_x;
    cudaMemset(d_x, 0, kBytes);
    cudaMemcpy2D(onHost, 8, d_x, 4, 4, 3, cudaMemcpyDeviceToHost);  // rowBehindTarget
}
FAULT(noSymbol, "invalid-symbol", "no __device__ or __constant__", cudaErrorInvalidSymbol) {
    cudaMemcpyToSymbol(onHost, onHost, 4);  // noSymbol
}
FAULT(addressOfNoSymbol, "invalid-symbol", "no __device__ or __constant__",
      cudaErrorInvalidSymbol) {
    void* address = nullptr;
    cudaGetSymbolAddress(&address, onHost);  // addressOfNoSymbol
}
FAULT(copiedToName, "invalid-symbol", "whose address the host does not") {
    cudaMemcpy(filter, onHost, 4, cudaMemcpyHostToDevice);  // copiedToName
}
FAULT(leak, "leak", "d_x is never freed", cudaSuccess) { allocated(); }
FAULT(uncheckedLaunch, "unchecked-launch", "launch of nothing", cudaSuccess) {
    nothing<<<1, 1>>>();  // uncheckedLaunch
    cudaDeviceSynchronize();
}
FAULT(noBlocks, "invalid-launch", "has no blocks", cudaSuccess) {
    nothing<<<0, 32>>>();  // noBlocks
    cudaGetLastError();
}
FAULT(exits) {
    allocated();
    exit(3);
}
FAULT(exitsForAttribute) {
    if (cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20))
        exit(1);  // exitsForAttribute
}
FAULT(aborts) { abort(); }
FAULT(throwsError) { throw std::runtime_error("seven"); }
FAULT(throwsText) { throw "text"; }
FAULT(throwsNumber) { throw 7; }
FAULT(returns) {}

Outcome runGuarded(const std::string& fault) {
    cusim::reset();
    return cusim::guarded(cases().at(fault).run);
}

void checkFinding(const cusim::Finding& finding, const std::string& fault, const Case& expected) {
    INFO(cusim::text(finding));
    CHECK(finding.kind == expected.kind);
    CHECK(holds(finding.title, expected.title));
    CHECK(holds(finding.file, "test_host_faults.cu"));
    CHECK(holds(cusim::sourceLine(finding.file, finding.line), "// " + fault));
    CHECK_FALSE(finding.inThread);
    CHECK_FALSE(finding.remedy.empty());
}

}  // namespace

DEVICE_TEST("A wrong call of the runtime is found on its line and returns an error") {
    for (const auto& [fault, one] : cases()) {
        if (one.kind.empty() || one.how != Outcome::Returned) continue;
        INFO(fault);
        CHECK(runGuarded(fault).how == Outcome::Returned);
        checkFinding(onlyFinding(), fault, one);
        CHECK(cudaGetLastError() == one.error);
        CHECK(cudaGetLastError() == cudaSuccess);
    }
}

DEVICE_TEST("A division by zero names the line that called its function") {
    runGuarded("hostDivides");
    const std::vector<std::string>& details = onlyFinding().details;
    REQUIRE(details.size() == 1);
    CHECK(holds(details[0], "called at line "));
    CHECK(holds(details[0], "onHost[0] = quotient(zero);"));
}

DEVICE_TEST("The report of a copy in the wrong direction names the kind that its arguments need") {
    const auto remedyOf = [](const std::string& fault) {
        runGuarded(fault);
        return cusim::findings().at(0).remedy;
    };
    CHECK(holds(remedyOf("wrongDirection"), "To copy to the device, use cudaMemcpyHostToDevice"));
    CHECK(holds(remedyOf("swappedArguments"), "To copy to the host, use cudaMemcpyDeviceToHost"));
    CHECK(holds(remedyOf("setOnHost"), "Check that cudaMalloc set the pointer"));
    CHECK(holds(remedyOf("setAddress"), "pass d_x, without &"));
}

DEVICE_TEST(
    "Host code that uses a device variable by its name is found, a managed one may be used") {
    for (const std::string fault : {"hostReadsVariable", "hostWritesConstant"}) {
        INFO(fault);
        CHECK(runGuarded(fault).how == Outcome::Returned);
        checkFinding(onlyFinding(), fault, cases().at(fault));
    }
    runGuarded("hostUsesManaged");
    CHECK(cusim::findings().empty());
}

DEVICE_TEST("A copy past the end of known host memory is reported, and nothing is copied") {
    const auto kindsOf = [&](const std::string& fault) {
        runGuarded(fault);
        std::vector<std::string> kinds;
        for (const cusim::Finding& finding : cusim::findings()) {
            checkFinding(finding, fault, {nullptr, "wild-copy", "in host memory"});
            kinds.push_back(finding.details.at(0));
        }
        return kinds;
    };
    CHECK(kindsOf("copyToEndOfHost").empty());
    cusim::describeHostMemory(onHost, 16);
    CHECK(kindsOf("copyToEndOfHost").empty());
    // A copy by rows, with a row that begins past the end.
    for (const char* const fault : {"rowBehindSource", "rowBehindTarget"})
        CHECK(kindsOf(fault) ==
              std::vector<std::string>{"there are 16 bytes from there to its end: "
                                       "2 rows at a pitch of 8 bytes"});
    cusim::forgetHostMemory();
    cusim::describeHostMemory(onHost, 8);
    const std::vector<std::string> tooFar = kindsOf("copyToEndOfHost");
    CHECK(tooFar == std::vector<std::string>{"from there to its end there are 4 bytes (1 float)"});
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    CHECK(kindsOf("symbolToEndOfHost").size() == 2);
    cusim::forgetHostMemory();
    CHECK(kindsOf("symbolToEndOfHost").empty());
}

DEVICE_TEST("A crash of host code ends the guarded call with a finding") {
    cusim::options().secondLimit = 0.2;
    for (int run = 0; run < 3; ++run)
        for (const auto& [fault, one] : cases()) {
            if (one.how != Outcome::Faulted) continue;
            INFO(fault);
            const Outcome outcome = runGuarded(fault);
            CHECK(outcome.how == Outcome::Faulted);
            checkFinding(onlyFinding(), fault, one);
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

DEVICE_TEST("exit after a call that failed names the call, its line and its error") {
    CHECK(runGuarded("exits").message.empty());
    const Outcome outcome = runGuarded("exitsForAttribute");
    INFO(outcome.message);
    CHECK(outcome.how == Outcome::Exited);
    CHECK(cusim::findings().empty());
    CHECK(holds(outcome.message,
                "cudaFuncSetAttribute had failed: invalid argument; 1048576 bytes of shared memory "
                "are requested"));
    const std::size_t at = outcome.message.find(".cu:");
    REQUIRE(at != std::string::npos);
    CHECK(holds(cusim::sourceLine(outcome.message.substr(0, at + 3),
                                  std::stoi(outcome.message.substr(at + 4))),
                "// exitsForAttribute"));
    CHECK(runGuarded("exits").message.empty());
}
