// Tests of Options::tolerant: blocks that wait for each other, and reads beside stores of one
// value.
#include <string>

#include "on_device.h"
#include "tolerant.h"

namespace {

constexpr int kBlocks = 40, kThreads = 64;

// Each block waits for all others, as by this_grid().sync().
__device__ void meetAll(int* arrived, bool fence) {
    __syncthreads();
    if (threadIdx.x == 0) {
        if (fence) __threadfence();
        atomicAdd(arrived, 1);                                         // arrive
        while (atomicAdd(arrived, 0) < static_cast<int>(gridDim.x)) {  // wait-all
        }
        if (fence) __threadfence();
    }
    __syncthreads();
}
__global__ void rotate(int* arrived, int* x, int* y, bool fence) {
    __shared__ int own;
    if (threadIdx.x == 0) own = x[blockIdx.x] = blockIdx.x;  // give
    meetAll(arrived, fence);
    const unsigned next = (blockIdx.x + 1) % gridDim.x;
    if (threadIdx.x == 0) y[blockIdx.x] = 100 * own + x[next];  // take
}

// Reads four elements in an order that no run of reads foresees.
__device__ int scattered(const int* x) {
    int sum = 0;
    for (int i = 0; i < 300; ++i) sum += x[(i * i + i / 3) % 4];  // scattered
    return sum;
}
// The first block's thread 1 waits for the second block, behind accesses of its other threads.
enum class Before { Store, Load, Loads, Scattered, None };
__global__ void acrossWait(int* flag, int* x, int* y, Before before, bool barrier) {
    __shared__ int own[4];
    const int t = threadIdx.x;
    if (t < 4) own[t] = 0;
    __syncthreads();
    if (blockIdx.x == 1) {
        y[kThreads + t] = scattered(own);
        __syncthreads();
        if (t == 0) own[1] = 2;
        if (t == 0) atomicExch(flag, 1);
        return;
    }
    if (t == 0 && before == Before::Store) x[0] = own[0] = 1;    // store-before
    if (t == 0 && before == Before::Load) y[0] = own[0] + x[0];  // load-before
    if (before == Before::Loads)
        for (int i = 0; i < 4; ++i) y[t] += x[i] + own[i];  // loads-before
    if (before == Before::Scattered && t > 0) y[t] = scattered(own);
    if (barrier) __syncthreads();
    if (t != 1) return;
    while (atomicAdd(flag, 0) == 0) {
    }
    if (before == Before::Store) y[1] = own[0] + x[0];  // load-behind
    if (before == Before::Load) x[0] = own[0] = 1;      // store-behind
    if (before == Before::Scattered) own[0] = 1;        // behind-scattered
    if (before == Before::Loads) x[2] = own[2] = 1;     // stores-behind
}

// The waits after the first need no look that would tell of the stores before.
__global__ void storeAndWait(int* flags, int* y) {
    __shared__ int own[kThreads];
    const int t = threadIdx.x, b = blockIdx.x;
    own[t] = 1;
    if (t == 0) atomicExch(flags + b, 1);                      // tell
    while (*static_cast<volatile int*>(flags + 1 - b) == 0) {  // poll
    }
    __syncthreads();
    y[b * kThreads + t] = own[(t + 1) % kThreads];
}

// One step of a breadth-first search over a ring of nodes, each with an edge to the next ones.
__global__ void visit(int* level, int now) {
    const int node = blockIdx.x * kThreads + threadIdx.x;
    if (level[node] != now) return;  // look
    for (int k = 1; k < 4; ++k) {
        const int other = (node + k) % (kBlocks * kThreads);
        if (level[other] < 0) level[other] = now + 1;  // ask, set
    }
}

// A flag that all see, or only some, as there is no barrier.
__global__ void seeFlag(int* flag, int* y) {
    if (threadIdx.x == 7) *flag = 1;  // flag
    y[threadIdx.x] = *flag;           // see
}
// The last thread of a warp to arrive goes on first, in either order of three, and then the second.
__global__ void readFirst(int* x, int* y) {
    __syncwarp();
    if (threadIdx.x == 2) *y = *x;  // read-first
    if (threadIdx.x == 1) *x = 5;   // store-behind
}
// An atomic tells one thread that the element is there, and no other.
__global__ void tellOne(int* flag, int* x, int* y, int one) {
    const int t = threadIdx.x;
    if (t == 0) {
        *x = 5;  // store-told
        __threadfence();
        atomicExch(flag, 1);
    }
    if (t == one) atomicAdd(flag, 0);
    if (t > 0) y[t] = *x;  // read-told
}
__global__ void addNext(int* x) {
    const int t = threadIdx.x;
    if (t + 1 < kThreads) x[t] += x[t + 1];  // add-next
}

}  // namespace

TOLERANT_TEST("Blocks that wait for each other run side by side where the device holds them all") {
    cusim::options().workers = 1;  // several give up their turns to others for long
    const OnDevice<int> x(kBlocks), y(kBlocks);
    for (int launch = 0; launch < 2; ++launch) {
        rotate<<<kBlocks, kThreads>>>(OnDevice<int>(1, 0), x, y, true);
        for (int b = 0; b < kBlocks; ++b) CHECK(y.host()[b] == 100 * b + (b + 1) % kBlocks);
    }
    checkNothingFound();
    rotate<<<kBlocks, kThreads>>>(OnDevice<int>(1, 0), x, y, false);
    CHECK(told() == "race: give, take, wait-all\n");
    cusim::reset();
    cusim::options().profile = "8800gtx";
    rotate<<<16 * 8 + 1, 32>>>(OnDevice<int>(1, 0), OnDevice<int>(200), OnDevice<int>(200), true);
    CHECK(told() == "endless-kernel: wait-all\n");
    CHECK(holds(allFindings(), "the grid has 129 blocks, but the device holds 128 at once"));
}

TOLERANT_TEST("What a block has stored before it waits for another one is set afterwards") {
    cusim::options().warps = false;
    for (const std::string schedule : {"forward", "reverse", "random:5"}) {
        cusim::options().schedule = schedule;
        cusim::reset();
        storeAndWait<<<2, kThreads>>>(OnDevice<int>(2, 0), OnDevice<int>(2 * kThreads));
        checkNothingFound();
    }
}

TOLERANT_TEST("A wait for another block orders no accesses of a block's own threads") {
    const auto run = [](Before before, bool barrier) {
        cusim::reset();
        acrossWait<<<2, kThreads>>>(OnDevice<int>(1, 0), OnDevice<int>(4, 0),
                                    OnDevice<int>(2 * kThreads, 0), before, barrier);
        return told();
    };
    // For shared and for device memory.
    const auto twice = [](const std::string& one) { return one + one; };
    cusim::options().warps = false;  // where warps are looked at, each read is
    for (const std::string schedule : {"forward", "reverse", "random:5"}) {
        cusim::options().schedule = schedule;
        INFO(schedule);
        for (const Before before : {Before::Store, Before::Load, Before::Loads, Before::Scattered})
            CHECK(run(before, true) == "");
        CHECK(run(Before::None, false) == "");
        CHECK(run(Before::Store, false) == twice("race: store-before, load-behind\n"));
        CHECK(run(Before::Load, false) == twice("race: store-behind, load-before\n"));
        CHECK(run(Before::Loads, false) == twice("race: stores-behind, loads-before\n"));
        CHECK(run(Before::Scattered, false) == "race: behind-scattered, scattered\n");
    }
}

TOLERANT_TEST("Reads beside stores of one value are a remark where no order changes the result") {
    for (const std::string schedule : {"forward", "random:5"}) {
        cusim::options().schedule = schedule;
        {
            const OnDevice<int> level(std::vector<int>(kBlocks * kThreads, -1));
            cudaMemset(level, 0, sizeof(int));
            for (int now = 0; now < 3; ++now) visit<<<kBlocks, kThreads>>>(level, now);
            CHECK(level.host()[9] == 3);
        }
        CHECK(!cusim::findings().empty());
        for (const cusim::Finding& finding : cusim::findings())
            CHECK(finding.kind == "formal-race");
        cusim::reset();
        readFirst<<<1, 3>>>(OnDevice<int>(1, 0), OnDevice<int>(1));
        CHECK(told() == "race: store-behind, read-first\n");
        cusim::reset();
        seeFlag<<<1, kThreads>>>(OnDevice<int>(1, 0), OnDevice<int>(kThreads));
        CHECK(told() == "race: flag, see\n");
        cusim::reset();
        addNext<<<1, kThreads>>>(OnDevice<int>(kThreads, 0));  // stores what was there
        CHECK(told() == "race: add-next\n");
        CHECK(holds(allFindings(), "each store there writes the value that is already there"));
        cusim::reset();
    }
}

TOLERANT_TEST(
    "A read that may come too early is a race, even if an atomic orders it for other threads") {
    for (const std::string schedule : {"forward", "reverse", "random:5"})
        for (const int one : {1, 2, 3}) {
            INFO(schedule << ", thread " << one);
            cusim::options().schedule = schedule;
            cusim::reset();
            tellOne<<<1, 4>>>(OnDevice<int>(1, 0), OnDevice<int>(1, 0), OnDevice<int>(4, 0), one);
            CHECK(told() == "race: store-told, read-told\n");
        }
}
