// Tests that a kernel's fault is found with line and thread, and does not harm the next launch.
// Each kernel does one thing wrong; the statement at fault carries the fault's name in a comment.
#include <algorithm>
#include <cassert>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "chosen_options.h"
#include "on_device.h"
#include "simulator/findings/source_lines.h"

namespace {

constexpr int kBlocks = 6, kThreads = 8;
constexpr cudaError_t kIllegal = cudaErrorIllegalAddress;

struct Case {
    void (*kernel)(int* x, int* y);
    std::string kind, title;
    cudaError_t error = cudaErrorLaunchFailure;
    bool hasMark = true, ofThread = true;  // its line carries the fault's name; it has a thread
};

std::map<std::string, Case>& cases() {
    static std::map<std::string, Case> all;
    return all;
}

// Defines a kernel that does one thing wrong, and what is found of it.
#define FAULT(name, ...)                                                             \
    __global__ void name(int* x, int* y);                                            \
    const bool isKnown_##name = cases().insert({#name, {name, __VA_ARGS__}}).second; \
    __global__ void name(int* x, int* y)

__constant__ int table[4];

__device__ bool culprit() { return threadIdx.x == 3 && (blockIdx.x == 2 || blockIdx.x >= 4); }

FAULT(readPastEnd, "out-of-bounds", "reads past the end of", kIllegal) {
    if (culprit()) y[0] = x[kThreads];  // readPastEnd
}
FAULT(writePastEnd, "out-of-bounds", "writes past the end of", kIllegal) {
    if (culprit()) x[kThreads] = 1;  // writePastEnd
}
FAULT(readBeforeStart, "out-of-bounds", "reads", kIllegal) {
    const int i = threadIdx.x;
    if (culprit()) y[0] = x[i - 4];  // readBeforeStart
}
struct Triple {
    int a, b, c;
};
FAULT(halfOutside, "out-of-bounds", "reads past the end of", kIllegal) {
    Triple found{};
    if (culprit()) found = *(const Triple*)(x + 6);  // halfOutside
    y[threadIdx.x] = found.a;
}
FAULT(updatePastEnd, "out-of-bounds", "updates past the end of", kIllegal) {
    if (culprit()) atomicAdd(&x[kThreads], 1);  // updatePastEnd
}
FAULT(sharedPastEnd, "out-of-bounds", "past the end of shared array bytes", kIllegal) {
    int last = 6;
    // Seven bytes before an int, so that the eighth belongs to no array.
    __shared__ char bytes[7];
    __shared__ int behind[2];
    behind[0] = 1;
    for (int i = 0; i < 7; ++i) bytes[i] = 2;
    if (culprit()) last = 7;
    const char* const start = bytes;
    y[threadIdx.x] = start[last] + behind[0];  // sharedPastEnd
}
FAULT(dynamicPastEnd, "out-of-bounds", "past the end of shared array", kIllegal) {
    int last = 7;
    extern __shared__ int s[];
    s[threadIdx.x] = 1;
    if (culprit()) last = kThreads;
    y[threadIdx.x] = s[last];  // dynamicPastEnd
}
FAULT(dynamicNotGiven, "out-of-bounds", "shared memory", kIllegal) {
    extern __shared__ int s[];
    if (culprit()) y[0] = s[0];  // dynamicNotGiven
}
FAULT(nullPointer, "null-pointer", "reads through a null pointer", kIllegal) {
    if (culprit()) y[0] = x[2];  // nullPointer
}
FAULT(hostPointer, "host-pointer", "reads memory that is not on the device", kIllegal) {
    if (culprit()) y[0] = x[2];  // hostPointer
}
FAULT(wildPointer, "host-pointer", "reads memory that is not on the device", kIllegal) {
    if (culprit()) y[0] = x[2];  // wildPointer
}
FAULT(useAfterFree, "use-after-free", "reads d_freed after cudaFree", kIllegal) {
    if (culprit()) y[0] = x[2];  // useAfterFree
}
int onHost = 1;
FAULT(hostVariable, "host-pointer", "reads onHost, a host variable", kIllegal) {
    if (culprit()) y[0] = onHost;  // hostVariable
}
FAULT(staticLocal, "host-pointer", "reads kept, a static variable of a function", kIllegal) {
    static int kept = 1;
    if (culprit()) y[0] = kept;  // staticLocal
}
FAULT(writeConstant, "constant-write", "writes table, which is __constant__") {
    if (culprit()) table[1] = 2;  // writeConstant
}
FAULT(divideByZero, "division-by-zero", "divides an integer by zero") {
    int divisor = 3;
    if (culprit()) divisor = 0;
    y[threadIdx.x] = 12 / divisor;  // divideByZero
}
FAULT(remainderByZero, "division-by-zero", "divides an integer by zero") {
    unsigned long long rest = 12;
    rest %= culprit() ? 0 : 3;  // remainderByZero
    y[threadIdx.x] = rest;
}
__device__ __noinline__ int recurse(volatile int* depth) {
    volatile int next = *depth + 1;
    if (next < 0) return 0;
    return recurse(&next) + next;
}
FAULT(overflowStack, "stack-overflow", "stack", cudaErrorLaunchFailure, false) {
    volatile int zero = 0;
    if (culprit()) y[0] = recurse(&zero);
}
// Touches each of its frames at the lowest bytes alone, so that a leap may pass a page.
__device__ __noinline__ int leap(int depth) {
    volatile char most[23000];
    most[0] = 1;
    return depth == 0 ? 0 : leap(depth - 1) + most[0];
}
FAULT(leapPastStack, "stack-overflow", "stack", cudaErrorLaunchFailure, false) {
    if (culprit()) y[0] = leap(12);
}
__device__ __noinline__ int useHugeArray(int i) {
    volatile char huge[1 << 20];  // more than the stack
    huge[i] = 1;
    return huge[0];
}
FAULT(hugeLocal, "stack-overflow", "stack", cudaErrorLaunchFailure, false) {
    if (culprit()) y[0] = useHugeArray(0);
}
FAULT(failAssertion, "assert", "assertion failed: !culprit()", cudaErrorAssert) {
    assert(!culprit());  // failAssertion
}
// The brackets hide the calls from the translator.
FAULT(callExit, "unsupported", "calls exit()") {
    if (culprit()) (exit)(3);  // callExit
}
FAULT(callAbort, "unsupported", "calls abort()") {
    if (culprit()) (abort)();  // callAbort
}
FAULT(callTrap, "trap", "calls __trap()") {
    if (culprit()) __trap();  // callTrap
}
FAULT(throwNumber, "host-pointer", "writes memory that is not on the device", kIllegal, false) {
    if (culprit()) throw 7;
}
FAULT(throwError, "exception", "exception: seven", cudaErrorLaunchFailure, false) {
    if (culprit()) throw std::runtime_error("seven");
}
FAULT(divergeAtBarrier, "barrier-divergence", "", cudaErrorLaunchFailure, false, false) {
    if (culprit())
        __syncthreads();  // divergeAtBarrier
    else
        __syncthreads();  // others
}
FAULT(loneLane, "barrier-divergence", "", cudaErrorLaunchFailure, false, false) {
    if (culprit()) y[0] = __shfl_sync(0xffu, 1, 0);  // loneLane
    __syncthreads();                                 // others
}
FAULT(strangeMask, "warp-mask", "mask leaves it out") {
    if (culprit()) y[0] = __any_sync(0xf0u, 1);  // strangeMask
}
using Function = int (*)(int);
FAULT(wildFunction, "illegal-address", "address", cudaErrorLaunchFailure, false) {
    const Function function = nullptr;
    if (culprit()) y[0] = function(1);
}
__global__ void nothing() {}
FAULT(launchFromKernel, "unsupported", "launches a kernel") {
    if (culprit()) nothing<<<1, 1>>>();  // launchFromKernel
}

__global__ void nearMisses(int* x, int last, int* unused) {
    __shared__ char bytes[7];
    extern __shared__ int s[];
    __shared__ int n;
    if (threadIdx.x < 7) bytes[threadIdx.x] = 1;
    s[threadIdx.x] = 1;
    if (threadIdx.x == 0) n = 1;
    // All threads of a block take the same branch.
    if (blockIdx.x % 2 == 0)
        __syncthreads();
    else
        __syncthreads();
    for (int i = 0; i < 3; ++i) __syncthreads();
    if (unused && last > 100) unused[0] = 1;
    const bool first = threadIdx.x == 0 && blockIdx.x == 0;
    if (first) x[last] = bytes[last - 1] + s[last] + table[3] + 12 / n;
    const char* const text = "constant";
    volatile char local[64 * 1024];
    local[0] = text[7];
    if (threadIdx.x >= 4) return;
    const int sum = __shfl_sync(0x0fu, local[0], 3) + __any_sync(0x0fu, 1);
    if (!first) return;
    x[0] = sum;
    assert(x[last] >= 0);
}

__global__ void square(int* x) { x[threadIdx.x] *= x[threadIdx.x]; }

std::string shown(const uint3& index) {
    return std::to_string(index.x) + "," + std::to_string(index.y) + "," + std::to_string(index.z);
}

// Returns what the kernel of this fault gets instead of x.
int* pointerFor(const std::string& fault, int* x) {
    static std::vector<int> values(4);
    if (fault == "nullPointer") return nullptr;
    if (fault == "hostPointer") return values.data();
    if (fault == "wildPointer") return reinterpret_cast<int*>(0x123456789000);
    if (fault != "useAfterFree") return x;
    int* d_freed;
    cudaMalloc(&d_freed, 16);
    cudaFree(d_freed);
    return d_freed;
}

// Launches 6 blocks of 8 threads, in which thread 3 of blocks 2, 4 and 5 is at fault.
void launch(const std::string& fault) {
    const OnDevice<int> x(kThreads, 0), y(kThreads, 0);
    const int dynamicBytes = fault == "dynamicPastEnd" ? kThreads * sizeof(int) : 0;
    const auto kernel = cases().at(fault).kernel;
    kernel<<<kBlocks, kThreads, dynamicBytes>>>(pointerFor(fault, x), y);
}

bool rightKernelRuns() {
    const OnDevice<int> x({1, 2, 3});
    square<<<1, 3>>>(x);
    return cudaGetLastError() == cudaSuccess && x.host() == std::vector<int>{1, 4, 9};
}

// Returns the one finding that a launch with this fault leaves.
cusim::Finding findingOf(const std::string& fault) {
    cusim::reset();
    launch(fault);
    return onlyFinding();
}

// Returns the finding of a read past the end of a matrix that has been described.
cusim::Finding readPastEndOf(int rows, int columns) {
    cusim::describeMatrix(nullptr, rows, columns);
    const cusim::Finding finding = findingOf("readPastEnd");
    cusim::forgetMatrices();
    return finding;
}

void checkText(const cusim::Finding& finding, const std::vector<std::string>& parts) {
    const std::string text = cusim::text(finding);
    INFO(text);
    for (const std::string& part : parts) CHECK(holds(text, part));
}

// Returns the source line that the detail names, or nothing.
std::string lineIn(const cusim::Finding& finding, const std::string& detail) {
    const std::size_t at = detail.find(".cu:");
    if (at == std::string::npos) return "";
    return cusim::sourceLine(finding.file, std::stoi(detail.substr(at + 4)));
}

}  // namespace

DEVICE_TEST("Each fault of a kernel is found with its kind, line, thread and block") {
    for (const auto& [fault, one] : cases()) {
        INFO(fault);
        const cusim::Finding finding = findingOf(fault);
        const std::string text = cusim::text(finding);
        INFO(text);
        CHECK(finding.kind == one.kind);
        CHECK(holds(finding.title, one.title));
        CHECK(holds(finding.file, "test_faults.cu"));
        CHECK(finding.line > 0);
        const std::string line = cusim::sourceLine(finding.file, finding.line);
        if (one.hasMark) CHECK(holds(line.substr(line.find("//") + 2), " " + fault));
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
    for (const auto& [fault, one] : cases()) {
        INFO(fault);
        findingOf(fault);
        REQUIRE(cusim::launches().size() == 1);
        CHECK_FALSE(cusim::launches()[0].completed);
        CHECK(cudaDeviceSynchronize() == one.error);
        CHECK(cudaGetLastError() == one.error);
        CHECK(cudaGetLastError() == one.error);
        CHECK_FALSE(rightKernelRuns());
        cusim::reset();
        CHECK(cudaGetLastError() == cudaSuccess);
        CHECK(rightKernelRuns());
        CHECK(cusim::findings().empty());
    }
}

TEST_CASE("Which finding is reported depends on no worker and no repetition") {
    for (const auto& [fault, one] : cases()) {
        const ChosenOptions chosen(1);
        INFO(fault);
        const std::string expected = cusim::text(findingOf(fault));
        for (const int workers : {1, 2, 5}) {
            cusim::options().workers = workers;
            for (int run = 0; run < 10; ++run) {
                INFO(workers << " workers, run " << run);
                CHECK(cusim::text(findingOf(fault)) == expected);
            }
        }
    }
}

DEVICE_TEST("An index past the end is reported in elements, with the array's size and origin") {
    checkText(findingOf("readPastEnd"),
              {"index 8", "32 bytes (8 elements of 4 bytes)", "on_device.h:"});
}

DEVICE_TEST("An index past a matrix whose shape is known is reported in rows and columns") {
    checkText(readPastEndOf(2, 4), {"this would be row 2, column 0 of a matrix of 2 rows"});
}

DEVICE_TEST("Of an access past the end a guard is advised where the thread may lie outside") {
    // Thread 3 of block 2, with 8 threads a block, has number 19 in x.
    const std::string often =
        "Guard the access (if (row < ... && column < ...)). If it has a guard";
    for (const int least : {1, 19}) {
        const std::string remedy = readPastEndOf(40, least).remedy;
        INFO(remedy);
        CHECK(holds(remedy, often));
        // The test allocated it, in another file.
        CHECK_FALSE(holds(remedy, "allocation"));
    }
    const std::string remedy = readPastEndOf(20, 40).remedy;
    INFO(remedy);
    CHECK(holds(remedy, "(number 0 in y, number 19 in x), check the rest of the index"));
    CHECK(holds(findingOf("readPastEnd").remedy, "thread has no element, guard the access"));
}

DEVICE_TEST("Memory that was freed is named with the line that freed it") {
    checkText(findingOf("useAfterFree"), {"d_freed holds 16 bytes", "freed at"});
}

DEVICE_TEST("Threads at different barriers are told apart by line and number") {
    const cusim::Finding finding = findingOf("divergeAtBarrier");
    INFO(cusim::text(finding));
    REQUIRE(finding.details.size() == 2);
    for (const std::string& detail : finding.details) {
        const std::string line = lineIn(finding, detail);
        REQUIRE_FALSE(line.empty());
        const bool lone = holds(line, "// divergeAtBarrier");
        CHECK(lone == holds(detail, "1 thread "));
        CHECK(lone == holds(detail, "(3,0,0)"));
        CHECK((lone || (holds(detail, "7 threads ") && holds(line, "// others"))));
    }
}

DEVICE_TEST("A warp function names the call at which a lane waits") {
    const cusim::Finding finding = findingOf("loneLane");
    INFO(cusim::text(finding));
    CHECK(std::any_of(finding.details.begin(), finding.details.end(), [&](const auto& detail) {
        return holds(lineIn(finding, detail), "// loneLane") && holds(detail, "(3,0,0)");
    }));
}

TEST_CASE("Near misses of each fault stay silent") {
    underEachSchedule([] {
        const OnDevice<int> x(kThreads, 0);
        nearMisses<<<kBlocks, kThreads, kThreads * sizeof(int)>>>(x, kThreads - 1, nullptr);
        cudaGetLastError();
        checkNothingFound();
        REQUIRE(cusim::launches().size() == 1);
        CHECK(cusim::launches()[0].completed);
    });
}

TEST_CASE("After many failed launches the device is as good as new") {
    const ChosenOptions chosen(2);
    for (int run = 0; run < 100; ++run)
        for (const std::string fault : {"readPastEnd", "divergeAtBarrier", "divideByZero"})
            CHECK(findingOf(fault).kind == cases().at(fault).kind);
    cusim::reset();
    CHECK(rightKernelRuns());
}
