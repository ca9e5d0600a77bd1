// Tests faults inside an array, off its alignment, and without end.
#include <functional>
#include <vector>

#include "chosen_options.h"
#include "on_device.h"
#include "simulator/api/report.h"
#include "simulator/engine/faults.h"
#include "simulator/engine/watchdog.h"
#include "simulator/findings/source_lines.h"

namespace {

__global__ void rowKernel(int* y, int column) {
    __shared__ int tile[4][4];
    tile[threadIdx.x][column] = 1;  // insideRow
    y[threadIdx.x] = tile[threadIdx.x][column];
}

__global__ void vectorKernel(float* x, int first) {
    *reinterpret_cast<float4*>(x + first) = make_float4(1, 2, 3, 4);  // offAlignment
}

// A device accesses these in pieces, so each member needs only its own alignment.
struct Pair {
    float a, b;
};
struct Pairs {
    int count;
    Pair pair[2];
};
struct __attribute__((packed)) Packed {
    char c;
    double d;
};

__global__ void piecesKernel(Pairs* pairs, Packed* packed, char* bytes) {
    __shared__ Pairs s;
    s.pair[1] = pairs->pair[0];
    const Pair pair = s.pair[1];
    pairs->pair[1] = pair;
    packed->d += packed->c;
    float copy[2];
    memcpy(copy, bytes + 1, 8);
    memcpy(bytes + 1, copy, 4);
}

__global__ void copyKernel(float* y, const float* x, int bytes) {
    memcpy(y, x, bytes);  // copyTooFar
}

__global__ void clearKernel(float* y, int bytes) {
    memset(y, 0, bytes);  // clearTooFar
}

template <int kThreads>
__global__ void __launch_bounds__(2 * kThreads, 1) boundedKernel(int* y) {
    y[threadIdx.x] = 1;
}

__global__ void twoStartsKernel(int* y, bool both) {
    extern __shared__ int first[];
    if (both) {
        extern __shared__ int second[];  // second
        second[threadIdx.x] = 2;
    } else {
        extern __shared__ float third[];
        third[threadIdx.x] = 1.0f;
        first[threadIdx.x + 32] = 1;  // past-dynamic
    }
    y[threadIdx.x] = first[threadIdx.x];
}

__global__ void spinKernel(volatile int* flag) {
    while (*flag == 0) {  // spins
    }
}

__global__ void countKernel(int step) {
    for (int i = 0; i < 10; i += step) {  // counts
    }
}

__global__ void countAgainKernel(int step) {
    for (int i = 0; i < 10; i += step) {
    }
}

__global__ void nothingKernel(bool forEver) {
    while (forEver)  // doesNothing
        ;
}

__device__ int next(int i, int step) {
    if (step < 0) return i;
    return i + step;
}

__global__ void calleeKernel(int step) {
    for (int i = 0; i < 10;) {  // countsInCallee
        i = next(i, step);
    }
}

__global__ void nestKernel(int outerStep, int innerStep) {
    float sum = 0.0f;
    for (int i = 0; i < 10; i += outerStep) {  // outerLoop
        sum += 1.0f;
        for (int j = 0; j < 10; j += innerStep)  // innerLoop
            sum += 2.0f;
    }
}

__global__ void barrierKernel(int step) {
    for (int i = 0; i < 10; i += step)  // passes
        __syncthreads();
}

__global__ void manyBarriersKernel(int times) {
    for (int i = 0; i < times; ++i) __syncthreads();
}

void copyBytes(int bytes) {
    const OnDevice<float> x(16, 0.0f), y(16);
    copyKernel<<<1, 1>>>(y, x, bytes);
}
void spinOnMemory(bool set) {
    const OnDevice<int> flag(1, set);
    spinKernel<<<2, 32>>>(flag);
}

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

// Stands for what a launch calls after its last block and does not look like the simulator's own,
// such as libbacktrace.
void takeTime() {
    const double end = cusim::processorSeconds() + 0.5;
    while (cusim::processorSeconds() < end)
        for (volatile int i = 0; i < 1'000'000;) i = i + 1;
}

}  // namespace

DEVICE_TEST("An index past a row is found although it lies inside the array") {
    CHECK(kindFound([] { resultOf(rowKernel, 4, 1, 4, 3); }, "") == "");
    const auto asksForOffset = [] {
        return holds(cusim::findings().at(0).remedy, "it may hold an offset");
    };
    CHECK(kindFound([] { resultOf(rowKernel, 4, 1, 4, 4); }, "insideRow") == "out-of-bounds");
    CHECK(asksForOffset());
    CHECK(kindFound([] { resultOf(rowKernel, 4, 1, 4, -1); }, "insideRow") == "out-of-bounds");
    CHECK_FALSE(asksForOffset());
}

DEVICE_TEST("A float4 must start at a multiple of four floats") {
    CHECK(kindFound([] { resultOf(vectorKernel, 8, 1, 1, 0); }, "") == "");
    CHECK(kindFound([] { resultOf(vectorKernel, 8, 1, 1, 4); }, "") == "");
    CHECK(kindFound([] { resultOf(vectorKernel, 8, 1, 1, 1); }, "offAlignment") == "misaligned");
    CHECK(kindFound([] { resultOf(vectorKernel, 8, 1, 1, 2); }, "offAlignment") == "misaligned");
    CHECK(kindFound([] { resultOf(vectorKernel, 8, 1, 1, 1 << 30 | 1); }, "offAlignment") !=
          "misaligned");
}

DEVICE_TEST("A structure may start wherever its members may") {
    const OnDevice<Pairs> pairs({{1, {{2, 3}, {4, 5}}}});
    const OnDevice<Packed> packed({{1, 2.0}});
    const OnDevice<char> bytes(16, '\0');
    piecesKernel<<<1, 1>>>(pairs, packed, bytes);
    const Pair copied = pairs.host()[0].pair[1];
    CHECK(copied.a == 2);
    CHECK(copied.b == 3);
    CHECK(packed.host()[0].d == 3);
    CHECK(cusim::findings().empty());
}

DEVICE_TEST("memcpy and memset in a kernel are checked and counted") {
    CHECK(kindFound([] { copyBytes(64); }, "") == "");
    CHECK(cusim::launches().at(0).global().loadedBytes == 64);
    CHECK(cusim::launches().at(0).global().storedBytes == 64);
    CHECK(kindFound([] { copyBytes(65); }, "copyTooFar") == "out-of-bounds");
    CHECK(kindFound([] { resultOf(clearKernel, 16, 1, 1, 64); }, "") == "");
    CHECK(kindFound([] { resultOf(clearKernel, 16, 1, 1, 68); }, "clearTooFar") == "out-of-bounds");
}

DEVICE_TEST("A kernel without end is stopped at the loop in which it stays") {
    cusim::options().secondLimit = 0.3;
    CHECK(kindFound([] { spinOnMemory(true); }, "") == "");
    CHECK(kindFound([] { spinOnMemory(false); }, "spins") == "endless-kernel");
    CHECK(cudaGetLastError() == cudaErrorLaunchTimeout);
    CHECK(kindFound([] { countKernel<<<2, 32>>>(1); }, "") == "");
    CHECK(kindFound([] { countKernel<<<2, 32>>>(0); }, "counts") == "endless-kernel");
    CHECK(kindFound([] { nothingKernel<<<2, 32>>>(false); }, "") == "");
    CHECK(kindFound([] { nothingKernel<<<2, 32>>>(true); }, "doesNothing") == "endless-kernel");
    CHECK(kindFound([] { calleeKernel<<<2, 32>>>(0); }, "countsInCallee") == "endless-kernel");
    CHECK(kindFound([] { barrierKernel<<<2, 32>>>(1); }, "") == "");
}

DEVICE_TEST("Of nested loops the one that does not end is named") {
    cusim::options().secondLimit = 1;
    CHECK(kindFound([] { nestKernel<<<2, 32>>>(1, 1); }, "") == "");
    CHECK(kindFound([] { nestKernel<<<2, 32>>>(0, 1); }, "outerLoop") == "endless-kernel");
    cusim::options().secondLimit = 20;  // a twentieth of it is left
    CHECK(kindFound([] { nestKernel<<<2, 32>>>(1, 0); }, "innerLoop") == "endless-kernel");
}

DEVICE_TEST("A loop of barriers without end is stopped at the loop") {
    cusim::options().secondLimit = 0.3;
    CHECK(kindFound([] { barrierKernel<<<2, 32>>>(0); }, "passes") == "endless-kernel");
    CHECK(cusim::findings()[0].details.at(0).find("a block has passed more than 20000 barriers") ==
          0);
}

DEVICE_TEST("A kernel that is slow and ends is not taken for endless") {
    // Exceeds the number of barriers that may take long, but each is quick.
    cusim::options().barrierLimit = 1000;
    CHECK(kindFound([] { manyBarriersKernel<<<2, 32>>>(30000); }, "") == "");
    // Takes long, but passes few barriers.
    cusim::options().barrierLimit = 20000;
    cusim::options().secondLimit = 1e-3;
    CHECK(kindFound([] { manyBarriersKernel<<<2, 32>>>(9000); }, "") == "");
}

DEVICE_TEST("The time of a launch is not taken for that of host code") {
    cusim::options().secondLimit = 0.05;
    cusim::tellFindings([](const cusim::Finding&) { takeTime(); });
    const cusim::Outcome outcome = cusim::guarded([] { barrierKernel<<<2, 32>>>(0); });
    cusim::tellFindings(nullptr);
    CHECK(outcome.how == cusim::Outcome::Returned);
    CHECK(cusim::findings().at(0).kind == "endless-kernel");
}

DEVICE_TEST("A kernel that was endless is not waited for as long the next time") {
    cusim::options().secondLimit = 2;
    const auto secondsOf = [](int step) {
        cusim::reset();
        countAgainKernel<<<2, 32>>>(step);
        CHECK(cusim::findings().size() == (step == 0 ? 1u : 0u));
        return cusim::launches().at(0).seconds;
    };
    const double first = secondsOf(0);
    CHECK(secondsOf(0) < 0.8 * first);  // a tenth, where no other program runs
    // A kernel that was found endless may still end on other data.
    secondsOf(1);
}

DEVICE_TEST("A launch of more threads than __launch_bounds__ allow is invalid") {
    const OnDevice<int> y(65);
    boundedKernel<32><<<1, 64>>>(y);
    checkNothingFound();
    boundedKernel<32><<<1, 65>>>(y);
    CHECK(onlyFinding().kind == "invalid-launch");
    CHECK(onlyFinding().title.find("has 65 threads, but the kernel's __launch_bounds__ allow 64") !=
          std::string::npos);
}

DEVICE_TEST("Two dynamic shared arrays of one type are reported, as they begin together") {
    const OnDevice<int> y(32);
    twoStartsKernel<<<1, 32, 256>>>(y, false);
    checkNothingFound();
    twoStartsKernel<<<1, 32, 256>>>(y, true);
    CHECK(onlyFinding().kind == "shared-overlap");
    CHECK(onlyFinding().title.find("second is first") != std::string::npos);
    cusim::reset();
    twoStartsKernel<<<1, 32, 128>>>(y, false);
    CHECK(onlyFinding().remedy.find("third parameter gives the block 128 bytes") !=
          std::string::npos);
}
