// Tests cooperative launches: blocks that wait for each other.
#include <cooperative_groups.h>

#include <numeric>
#include <vector>

#include "chosen_options.h"
#include "on_device.h"

namespace cg = cooperative_groups;

namespace {

using Ints = std::vector<int>;

// Sums n numbers over the grid, once a step; the next step multiplies by the sum.
__global__ void sumsKernel(int* x, int* perBlock, int n, int steps, bool wait) {
    __shared__ int own;
    __shared__ int kept;
    cg::grid_group grid = cg::this_grid();
    if (threadIdx.x == 0) kept = 1000 * blockIdx.x;
    for (int step = 0; step < steps; ++step) {
        if (threadIdx.x == 0) own = 0;
        __syncthreads();
        for (int i = grid.thread_rank(); i < n; i += grid.size()) atomicAdd(&own, x[i]);
        __syncthreads();
        if (threadIdx.x == 0) perBlock[blockIdx.x] = own;
        if (wait) grid.barrier_wait(grid.barrier_arrive());
        int sum = 0;
        for (int b = 0; b < gridDim.x; ++b) sum += perBlock[b];
        for (int i = grid.thread_rank(); i < n; i += grid.size()) x[i] = sum % 10 + i;
        if (wait) cg::sync(grid);
    }
    if (threadIdx.x == 0) perBlock[blockIdx.x] = kept;
}

__global__ void someBlocksReturnKernel(int* y) {
    if (blockIdx.x == 2) return;
    y[blockIdx.x] = 1;
    cg::this_grid().sync();  // here
    y[blockIdx.x] = 2;
}

__global__ void someThreadsWaitKernel(int* y) {
    if (threadIdx.x < 3)
        cg::this_grid().sync();
    else
        __syncthreads();
    y[threadIdx.x] = cg::this_grid().is_valid();
}

__global__ void unsetSharedKernel(int* y) {
    __shared__ int s[2];
    if (threadIdx.x == 0) s[0] = blockIdx.x;
    cg::this_grid().sync();
    y[blockIdx.x] = s[blockIdx.x == 1];
}

// Returns the error of the launch.
template <class... Parameters>
cudaError_t launched(void (*kernel)(Parameters...), int blocks, int threads,
                     std::common_type_t<Parameters>... arguments) {
    void* pointers[] = {&arguments...};
    return cudaLaunchCooperativeKernel(kernel, blocks, threads, pointers);
}

}  // namespace

DEVICE_TEST("blocks see what others have stored before a sync() of the grid") {
    underEachSchedule([] {
        const int n = 100;
        Ints numbers(n);
        std::iota(numbers.begin(), numbers.end(), 0);
        const OnDevice<int> x(numbers), perBlock(4, 0);
        CHECK(launched(sumsKernel, 4, 8, x, perBlock, n, 3, true) == cudaSuccess);
        for (int step = 0; step < 3; ++step) {
            const int sum = std::accumulate(numbers.begin(), numbers.end(), 0);
            for (int i = 0; i < n; ++i) numbers[i] = sum % 10 + i;
        }
        CHECK(x.host() == numbers);
        CHECK(perBlock.host() == Ints{0, 1000, 2000, 3000});  // shared memory is each block's own
        checkNothingFound();
    });
}

DEVICE_TEST("blocks that do not wait for each other race") {
    const OnDevice<int> x(Ints(100, 1)), perBlock(4, 0);
    launched(sumsKernel, 4, 8, x, perBlock, 100, 1, false);
    REQUIRE_FALSE(cusim::findings().empty());
    for (const cusim::Finding& finding : cusim::findings()) CHECK(finding.kind == "race");
}

DEVICE_TEST("a block that returns before the others' sync() of the grid is found") {
    const OnDevice<int> y(4, 0);
    CHECK(launched(someBlocksReturnKernel, 4, 32, y) == cudaErrorLaunchFailure);
    const cusim::Finding finding = onlyFinding();
    CHECK(finding.kind == "barrier-divergence");
    CHECK(holds(finding.title, "blocks of the grid wait for ever"));
    CHECK(holds(cusim::text(finding), "// here"));
}

DEVICE_TEST("threads of one block that wait for the grid and for the block are found") {
    const OnDevice<int> y(32, 0);
    launched(someThreadsWaitKernel, 2, 32, y);
    CHECK(onlyFinding().kind == "barrier-divergence");
}

DEVICE_TEST("a kernel that waits for the grid must be launched as cooperative") {
    const OnDevice<int> y(4, 0);
    someBlocksReturnKernel<<<2, 32>>>(y);
    CHECK(onlyFinding().kind == "grid-sync");
    CHECK(holds(onlyFinding().remedy, "cudaLaunchCooperativeKernel"));
}

DEVICE_TEST("shared memory stays unset in the blocks that have not written it") {
    const OnDevice<int> y(3, 0);
    launched(unsetSharedKernel, 3, 1, y);
    const cusim::Finding finding = onlyFinding();
    CHECK(finding.kind == "unset-read");
    CHECK(holds(finding.details[0], "of block (1,0,0)"));
    CHECK(finding.count == 1);
    CHECK(y.host()[2] == 2);
}

DEVICE_TEST("more blocks than the device holds at once are refused") {
    const OnDevice<int> y(4, 0);
    int perMultiprocessor = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perMultiprocessor, unsetSharedKernel, 1024, 0);
    CHECK(perMultiprocessor == 2);
    CHECK(launched(unsetSharedKernel, 2 * 80 + 1, 1024, y) == cudaErrorCooperativeLaunchTooLarge);
    CHECK(onlyFinding().kind == "invalid-launch");
    CHECK(holds(onlyFinding().title, "161 blocks, but the device holds 160 at once"));
}
