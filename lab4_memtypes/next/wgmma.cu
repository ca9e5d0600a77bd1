// P = M x N with the instructions of Hopper (compute capability 9.0): TMA copies tiles, wgmma
// multiplies them, an mbarrier says when a tile is full or empty. M and N are half, P and the sums
// are float; all are row-major and square. Width is a multiple of 256; from 2048 on, of 2048.
// Compile with -gencode=arch=compute_90a,code=sm_90a.
#include <cooperative_groups.h>
#include <cuda.h>
#include <cuda_fp16.h>

#include <cstdint>

namespace {

// A block computes 128 x 256 elements of P. A row of a tile in shared memory has 64 halves: the 128
// bytes in which TMA swizzles (permutes) pieces of 16 bytes, so that no banks collide.
constexpr int kRows = 128, kCols = 256, kDepth = 64, kStages = 4, kGroup = 16;

struct Stage {
    half M[kRows][kDepth], N[kCols / 64][kDepth][64];
};

struct Shared {
    Stage stages[kStages];
    uint64_t full[kStages], empty[kStages];
};

__device__ uint32_t address(const void* shared) { return __cvta_generic_to_shared(shared); }

__device__ void begin(uint64_t& barrier, int arrivals) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(address(&barrier)), "r"(arrivals));
}

__device__ void wait(uint64_t& barrier, int parity) {
    int complete = 0;
    while (!complete)
        asm volatile(
            "{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2;"
            "selp.b32 %0, 1, 0, p; }"
            : "=r"(complete)
            : "r"(address(&barrier)), "r"(parity)
            : "memory");
}

// Arrives, and lets the barrier wait for so many bytes too.
__device__ void expect(uint64_t& barrier, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(address(&barrier)),
                 "r"(bytes)
                 : "memory");
}

// Arrives at the barrier of a block of this cluster: a store to distributed shared memory.
__device__ void arrive(uint64_t& barrier, int block) {
    asm volatile(
        "{ .reg .b32 there; mapa.shared::cluster.u32 there, %0, %1;"
        "mbarrier.arrive.shared::cluster.b64 _, [there]; }" ::"r"(address(&barrier)),
        "r"(block)
        : "memory");
}

// Begins to copy a box of a matrix; the barrier counts its bytes.
__device__ void copy(void* to, const CUtensorMap& map, int x, int y, int z, uint64_t& barrier) {
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes"
        " [%0], [%1, {%2, %3, %4}], [%5];" ::"r"(address(to)),
        "l"(&map), "r"(x), "r"(y), "r"(z), "r"(address(&barrier))
        : "memory");
}

// The same, to the same place of both blocks of a cluster.
__device__ void copyToBoth(void* to, const CUtensorMap& map, int x, int y, int z,
                           uint64_t& barrier) {
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes"
        ".multicast::cluster [%0], [%1, {%2, %3, %4}], [%5], %6;" ::"r"(address(to)),
        "l"(&map), "r"(x), "r"(y), "r"(z), "r"(address(&barrier)), "h"(uint16_t{3})
        : "memory");
}

// Describes a swizzled tile to wgmma; `group` bytes lie between groups of 64 columns.
__device__ uint64_t tile(const void* shared, uint64_t group) {
    const uint64_t rows8 = 1024;  // bytes between groups of 8 rows
    return (address(shared) & 0x3ffff) >> 4 | group >> 4 << 16 | rows8 >> 4 << 32 | 1ull << 62;
}

#define TEN(t) \
    "%" #t "0,%" #t "1,%" #t "2,%" #t "3,%" #t "4,%" #t "5,%" #t "6,%" #t "7,%" #t "8,%" #t "9,"
#define PLUS(i)                                                                           \
    "+f"(sum[i]), "+f"(sum[i + 1]), "+f"(sum[i + 2]), "+f"(sum[i + 3]), "+f"(sum[i + 4]), \
        "+f"(sum[i + 5]), "+f"(sum[i + 6]), "+f"(sum[i + 7])

// Begins 64 x 256 x 16 multiply-adds of the four warps that call it: sum += M x N.
__device__ void multiply(float (&sum)[128], uint64_t M, uint64_t N) {
    asm volatile(
        "{ .reg .pred add; setp.ne.b32 add, 1, 0;"
        "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {" TEN() TEN(1) TEN(2) TEN(3) TEN(4)
            TEN(5) TEN(6) TEN(7) TEN(8) TEN(9) TEN(10)
                TEN(11) "%120,%121,%122,%123,%124,%125,%126,%127}, %128, %129, add, 1, 1, 0, 1; }"
        : PLUS(0), PLUS(8), PLUS(16), PLUS(24), PLUS(32), PLUS(40), PLUS(48), PLUS(56), PLUS(64),
          PLUS(72), PLUS(80), PLUS(88), PLUS(96), PLUS(104), PLUS(112), PLUS(120)
        : "l"(M), "l"(N));
}

template <int Cluster>
__global__ void __cluster_dims__(Cluster, 1, 1) __launch_bounds__(288, 1)
    wgmmaProduct(const __grid_constant__ CUtensorMap mapM, const __grid_constant__ CUtensorMap mapN,
                 float* P, int Width) {
    extern __shared__ __align__(1024) unsigned char bytes[];
    auto& [stages, full, empty] = reinterpret_cast<Shared&>(bytes);
    const auto cluster = cooperative_groups::this_cluster();
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, phases = Width / kDepth;
    // Blocks that run at the same time share rows and columns, which stay in the L2 cache.
    const int group = min(kGroup, Width / kRows), colTiles = Width / kCols;
    const int Row = kRows * (blockIdx.x / (group * colTiles) * group + blockIdx.x % group);
    const int Col = kCols * (blockIdx.x / group % colTiles);
    if (threadIdx.x == 0) {
        for (int s = 0; s < kStages; ++s) {
            begin(full[s], 1);
            begin(empty[s], 8 * Cluster);
        }
        asm volatile("fence.mbarrier_init.release.cluster;");
    }
    cluster.sync();
    if (warp == 8 && lane == 0) {  // one thread copies
        const int z = Col / 64, own = cluster.block_rank() * (4 / Cluster);
        // copies:begin
        for (int ph = 0; ph < phases; ++ph) {
            const int s = ph % kStages;
            wait(empty[s], ph / kStages % 2 ^ 1);  // the first round does not wait
            expect(full[s], sizeof(Stage));
            copy(stages[s].M, mapM, ph * kDepth, Row, 0, full[s]);
            if (Cluster == 1)
                copy(stages[s].N, mapN, 0, ph * kDepth, z, full[s]);
            else  // each block copies half of the tile of N, for both
                copyToBoth(stages[s].N[own], mapN, 0, ph * kDepth, z + own, full[s]);
        }
        // copies:end
    } else if (warp < 8) {
        // products:begin
        float sum[128] = {};  // of 64 x 256 elements, which four warps hold together
        for (int ph = 0; ph < phases; ++ph) {
            const auto& [M, N] = stages[ph % kStages];
            wait(full[ph % kStages], ph / kStages % 2);
            asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
            for (int k = 0; k < kDepth; k += 16)
                multiply(sum, tile(&M[warp / 4 * 64][k], 16), tile(N[0][k], 8192));
            asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
            asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
            // The products of the phase before are complete: its tiles are empty.
            if (ph > 0 && lane < Cluster) arrive(empty[(ph - 1) % kStages], lane);
        }
        // products:end
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
        const int row = Row + 16 * warp + lane / 4, col = Col + lane % 4 * 2;
        for (int c = 0; c < 32; ++c)
            for (int r = 0; r < 2; ++r)
                reinterpret_cast<float2&>(P[size_t(row + 8 * r) * Width + col + 8 * c]) =
                    make_float2(sum[4 * c + 2 * r], sum[4 * c + 2 * r + 1]);
    }
    cluster.sync();  // no block ends while another may still write to it
}

// Describes a matrix to TMA as groups of columns, and the box of it that one copy takes.
CUtensorMap described(const half* matrix, int Width, int cols, int boxRows, int boxGroups) {
    void* encode = nullptr;
    cudaDriverEntryPointQueryResult found;
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &encode, 12000, cudaEnableDefault,
                                     &found);
    const cuuint64_t sizes[] = {cuuint64_t(cols), cuuint64_t(Width), cuuint64_t(Width / cols)};
    const cuuint64_t strides[] = {sizeof(half) * Width, sizeof(half) * cols};
    const cuuint32_t box[] = {64, cuuint32_t(boxRows), cuuint32_t(boxGroups)}, steps[] = {1, 1, 1};
    CUtensorMap map;
    reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(encode)(
        &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 3, const_cast<half*>(matrix), sizes, strides, box,
        steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
        CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    return map;
}

template <int Cluster>
cudaError_t launch(const half* M, const half* N, float* P, int Width) {
    cudaFuncSetAttribute(wgmmaProduct<Cluster>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         sizeof(Shared));
    wgmmaProduct<Cluster><<<Width / kRows*(Width / kCols), 288, sizeof(Shared)>>>(
        described(M, Width, Width, kRows, 1), described(N, Width, 64, kDepth, 4 / Cluster), P,
        Width);
    return cudaGetLastError();
}

}  // namespace

extern "C" cudaError_t wgmma_product(const half* M, const half* N, float* P, int Width) {
    return launch<1>(M, N, P, Width);
}

extern "C" cudaError_t cluster_product(const half* M, const half* N, float* P, int Width) {
    return launch<2>(M, N, P, Width);
}
