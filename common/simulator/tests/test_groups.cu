// Tests cooperative groups within a block: tiles of a warp, lanes that run together, and what they
// exchange.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <vector>

#include "chosen_options.h"
#include "on_device.h"

namespace cg = cooperative_groups;

namespace {

using Ints = std::vector<int>;

template <int Size>
__global__ void tilesKernel(int* y) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<Size> tile = cg::tiled_partition<Size>(block);
    const int t = block.thread_rank(), n = blockDim.x;
    y[t] = tile.thread_rank();
    y[n + t] = tile.meta_group_rank();
    y[2 * n + t] = tile.size() * 1000 + tile.meta_group_size();
    y[3 * n + t] = tile.shfl(t, 1);
    y[4 * n + t] = tile.shfl_down(t, 1);
    y[5 * n + t] = tile.shfl_up(t, 1);
    y[6 * n + t] = tile.shfl_xor(t, 1);
    y[7 * n + t] = tile.ballot(t % 2);
    y[8 * n + t] = tile.any(t == 5) * 10 + tile.all(t < 6);
    y[9 * n + t] = tile.match_any(t / 2);
}

__global__ void partsOfPartsKernel(int* y) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    auto part = cg::tiled_partition<4>(warp);
    cg::thread_group dynamic = cg::tiled_partition(cg::this_thread_block(), 8);
    cg::thread_group smaller = cg::tiled_partition(dynamic, 2);
    const int t = threadIdx.x, n = blockDim.x;
    y[t] = part.meta_group_rank() * 100 + part.meta_group_size();
    y[n + t] = dynamic.size() * 100 + dynamic.thread_rank();
    y[2 * n + t] = smaller.size() * 100 + smaller.thread_rank();
    dynamic.sync();
    cg::sync(smaller);
}

__global__ void branchKernel(int* y) {
    if (threadIdx.x % 3 == 0) {
        cg::coalesced_group group = cg::coalesced_threads();
        y[threadIdx.x] = group.size() * 100 + group.thread_rank();
        y[32 + threadIdx.x] = group.shfl(threadIdx.x, 2);
    } else {
        y[threadIdx.x] = __popc(__activemask());
    }
}

// As the CUDA samples and the programming guide have it.
__device__ int countTogether(int* counter) {
    cg::coalesced_group active = cg::coalesced_threads();
    int first = 0;
    if (active.thread_rank() == 0) first = atomicAdd(counter, active.size());
    return active.shfl(first, 0) + active.thread_rank();
}
__global__ void filterKernel(int* y, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        if (i % 5 != 0) y[1 + countTogether(y)] = i;
}

__global__ void sumsKernel(float* y) {
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    const float x = 1.0f / (1 + threadIdx.x);
    y[threadIdx.x] = cg::reduce(tile, x, cg::plus<float>());
    y[32 + threadIdx.x] = cg::inclusive_scan(tile, x);
    y[64 + threadIdx.x] = cg::exclusive_scan(tile, static_cast<int>(threadIdx.x));
    y[96 + threadIdx.x] = cg::reduce(tile, static_cast<int>(threadIdx.x), cg::greater<int>());
    if (threadIdx.x < 5) {
        auto five = cg::coalesced_threads();
        y[128 + threadIdx.x] = cg::reduce(five, static_cast<int>(threadIdx.x), cg::less<int>());
        y[133 + threadIdx.x] = cg::reduce(five, 2 * static_cast<int>(threadIdx.x), cg::plus<int>());
    }
}

__global__ void tileSyncKernel(int* y, bool wait) {
    __shared__ int s[64];
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    s[threadIdx.x] = threadIdx.x;
    if (wait) tile.sync();
    y[threadIdx.x] = s[threadIdx.x ^ 1];
}

__global__ void divergentSyncKernel(int* y) {
    cg::thread_block block = cg::this_thread_block();
    if (threadIdx.x < 7)
        block.sync();  // here
    else
        cg::sync(block);
    y[threadIdx.x] = 1;
}

__global__ void matchesKernel(int* y) {
    const unsigned all = 0xffffffffu;
    int agree = 0;
    y[threadIdx.x] = __match_any_sync(all, threadIdx.x / 16);
    y[32 + threadIdx.x] = __match_all_sync(all, 7.5, &agree) == all && agree;
    y[64 + threadIdx.x] = __match_all_sync(all, static_cast<int>(threadIdx.x), &agree) + agree;
    y[96 + threadIdx.x] = __reduce_add_sync(all, static_cast<int>(threadIdx.x));
    y[128 + threadIdx.x] = __reduce_max_sync(all, -static_cast<int>(threadIdx.x));
    y[160 + threadIdx.x] = __reduce_xor_sync(all, threadIdx.x);
}

__global__ void wideShuffleKernel(double* y) {
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    const double4 got = tile.shfl(make_double4(threadIdx.x, 1, 2, 3.5 + threadIdx.x), 7);
    y[threadIdx.x] = got.x + 100 * got.w;
}

}  // namespace

DEVICE_TEST("a tile has ranks, exchanges values and votes among its own threads") {
    const int n = 16;
    const Ints all = resultOf(tilesKernel<4>, 10 * n, 1, n);
    for (int t = 0; t < n; ++t) {
        INFO("thread " << t);
        const int first = t / 4 * 4;
        const std::vector<int> expected{t % 4,
                                        t / 4,
                                        4004,
                                        first + 1,
                                        t % 4 < 3 ? t + 1 : t,
                                        t % 4 > 0 ? t - 1 : t,
                                        t ^ 1,
                                        0xa,
                                        (first == 4) * 10 + (first == 0),
                                        t % 4 < 2 ? 3 : 12};
        for (int k = 0; k < 10; ++k) {
            INFO("value " << k);
            CHECK(all[k * n + t] == expected[k]);
        }
    }
    checkNothingFound();
}

DEVICE_TEST("a tile at the end of a block has the threads that are there") {
    const Ints all = resultOf(tilesKernel<32>, 10 * 40, 1, 40);
    CHECK(all[39] == 7);
    CHECK(all[40 + 39] == 1);
    CHECK(all[7 * 40 + 39] == 0xaa);
    checkNothingFound();
}

DEVICE_TEST("tiles are parted again, also where the size is known to the run alone") {
    const Ints all = resultOf(partsOfPartsKernel, 3 * 64, 1, 64);
    CHECK(all[45] == 308);
    CHECK(all[64 + 45] == 805);
    CHECK(all[128 + 45] == 201);
    checkNothingFound();
}

DEVICE_TEST("the lanes of a branch form a group, whatever the schedule") {
    underEachSchedule([] {
        const Ints all = resultOf(branchKernel, 64, 1, 32);
        CHECK(all[0] == 1100);
        CHECK(all[30] == 1110);
        CHECK(all[32 + 9] == 6);
        CHECK(all[1] == 21);
        checkNothingFound();
    });
}

DEVICE_TEST("lanes that count together get a place of their own each") {
    Ints all = resultOf(filterKernel, 101, 1, 64, 100);
    REQUIRE(all[0] == 80);
    std::sort(all.begin() + 1, all.begin() + 81);
    for (int i = 0; i < 80; ++i) CHECK(all[1 + i] == i / 4 * 5 + i % 4 + 1);
    checkNothingFound();
}

DEVICE_TEST("reductions and scans add in a card's order") {
    const std::vector<float> all = resultOf(sumsKernel, 138, 1, 32);
    float tree[16], scan[16];
    for (int i = 0; i < 16; ++i) tree[i] = scan[i] = 1.0f / (1 + i);
    for (int with = 8; with > 0; with /= 2)
        for (int i = 0; i < with; ++i) tree[i] += tree[i + with];
    for (int delta = 1; delta < 16; delta *= 2)
        for (int i = 15; i >= delta; --i) scan[i] += scan[i - delta];
    for (int t = 0; t < 16; ++t) {
        CHECK(all[t] == tree[0]);
        CHECK(all[32 + t] == scan[t]);
        CHECK(all[64 + t] == t * (t - 1) / 2);
        CHECK(all[96 + t] == 15);
    }
    CHECK(all[96 + 16] == 31);
    CHECK(all[128] == 0);
    CHECK(all[137] == 20);
    checkNothingFound();
}

DEVICE_TEST("sync() of a tile orders what its lanes exchange, and without it they race") {
    CHECK(resultOf(tileSyncKernel, 64, 1, 64, true)[5] == 4);
    checkNothingFound();
    resultOf(tileSyncKernel, 64, 1, 64, false);
    CHECK(onlyFinding().kind == "race");
}

DEVICE_TEST("threads that wait at different calls of a block's sync() are found, with the lines") {
    resultOf(divergentSyncKernel, 32, 1, 32);
    const cusim::Finding finding = onlyFinding();
    CHECK(finding.kind == "barrier-divergence");
    CHECK(holds(finding.file, "test_groups.cu"));
    CHECK(holds(finding.details[0], "test_groups.cu"));
    CHECK(finding.others[1].line == finding.others[0].line + 2);
}

DEVICE_TEST("lanes are matched and reduced by one call") {
    const Ints all = resultOf(matchesKernel, 192, 1, 32);
    CHECK(all[3] == 0xffff);
    CHECK(all[19] == static_cast<int>(0xffff0000));
    CHECK(all[40] == 1);
    CHECK(all[70] == 0);
    CHECK(all[100] == 496);
    CHECK(all[130] == 0);
    CHECK(all[160] == 0);
    checkNothingFound();
}

DEVICE_TEST("a tile exchanges values of more than eight bytes") {
    const std::vector<double> all = resultOf(wideShuffleKernel, 16, 1, 16);
    CHECK(all[0] == 7 + 100 * 10.5);
    CHECK(all[9] == 15 + 100 * 18.5);
}
