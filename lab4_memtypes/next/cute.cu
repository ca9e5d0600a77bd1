// P = M x N by CuTe, the library for tiles in CUTLASS: it makes the instructions of wgmma.cu, with
// the same tiles. M and N are half, P and the sums are float; all are row-major and square. Width
// is a multiple of 256; from 2048 on, of 2048. Compile with -gencode=arch=compute_90a,code=sm_90a,
// --expt-relaxed-constexpr and -I of CUTLASS's folder include. Version 4.7 was measured.
#include <cute/tensor.hpp>
#include <cutlass/cluster_launch.hpp>
#include <cutlass/pipeline/sm90_pipeline.hpp>

using namespace cute;

constexpr int kStages = 4;

// CuTe's shapes: P is (rows, cols), M is (rows, depth), and N is (cols, depth).
using Block = Shape<_128, _256, _64>;
using TilesM =
    decltype(tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_128, _64, Int<kStages>>{}));
using TilesN = decltype(tile_to_shape(GMMA::Layout_MN_SW128_Atom<half_t>{},
                                      Shape<_256, _64, Int<kStages>>{}, Step<_2, _1, _3>{}));

struct Shared {
    alignas(1024) half_t M[cosize_v<TilesM>];
    alignas(1024) half_t N[cosize_v<TilesN>];
    uint64_t full[kStages], empty[kStages];
};

template <class CopyM, class CopyN, class Multiply>
static __global__ void __launch_bounds__(288, 1)
    cuteProduct(const __grid_constant__ CopyM copyM, const __grid_constant__ CopyN copyN, float* P,
                int Width, Multiply multiply) {
    using Full = cutlass::arch::ClusterTransactionBarrier;
    using Empty = cutlass::arch::ClusterBarrier;
    extern __shared__ __align__(1024) unsigned char bytes[];
    Shared& shared = reinterpret_cast<Shared&>(bytes);
    // The same order of the blocks as in wgmma.cu.
    const int group = min(16, Width / 128), colTiles = Width / 256;
    const int row = blockIdx.x / (group * colTiles) * group + blockIdx.x % group;
    const int col = blockIdx.x / group % colTiles;
    const auto shape = make_shape(Width, Width);
    Tensor allM = copyM.get_tma_tensor(shape);
    Tensor allN = copyN.get_tma_tensor(shape);
    Tensor allP = make_tensor(make_gmem_ptr(P), shape, make_stride(Width, _1{}));
    // layouts:begin
    // The block's tiles of M and N, and their places in shared memory.
    auto at = make_coord(row, col, _);
    Tensor M = local_tile(allM, Block{}, at, Step<_1, X, _1>{});
    Tensor N = local_tile(allN, Block{}, at, Step<X, _1, _1>{});
    Tensor Mds = make_tensor(make_smem_ptr(shared.M), TilesM{});
    Tensor Nds = make_tensor(make_smem_ptr(shared.N), TilesN{});
    // This thread's part of each tile, in the order of the instruction.
    auto own = multiply.get_slice(threadIdx.x);
    Tensor m = own.make_fragment_A(own.partition_A(Mds));
    Tensor n = own.make_fragment_B(own.partition_B(Nds));
    Tensor p = own.partition_C(local_tile(allP, Block{}, at, Step<_1, _1, X>{}));
    Tensor sum = own.make_fragment_C(p);
    // layouts:end
    auto boxesM =
        tma_partition(copyM, Int<0>{}, Layout<_1>{}, group_modes<0, 2>(Mds), group_modes<0, 2>(M));
    auto boxesN =
        tma_partition(copyN, Int<0>{}, Layout<_1>{}, group_modes<0, 2>(Nds), group_modes<0, 2>(N));
    if (threadIdx.x == 0) {
        for (int s = 0; s < kStages; ++s) {
            Full::init(&shared.full[s], 1);
            Empty::init(&shared.empty[s], 8);
        }
        cutlass::arch::fence_barrier_init();
    }
    __syncthreads();
    if (threadIdx.x == 256) {  // one thread copies
        for (int ph = 0; ph < Width / 64; ++ph) {
            const int s = ph % kStages;
            Empty::wait(&shared.empty[s], ph / kStages % 2 ^ 1);  // the first round does not wait
            Full::arrive_and_expect_tx(&shared.full[s], sizeof(half_t) * (128 + 256) * 64);
            copy(copyM.with(shared.full[s]), get<0>(boxesM)(_, ph), get<1>(boxesM)(_, s));
            copy(copyN.with(shared.full[s]), get<0>(boxesN)(_, ph), get<1>(boxesN)(_, s));
        }
    } else if (threadIdx.x < 256) {
        clear(sum);
        for (int ph = 0; ph < Width / 64; ++ph) {
            const int s = ph % kStages;
            Full::wait(&shared.full[s], ph / kStages % 2);
            warpgroup_arrive();
            gemm(multiply, m(_, _, _, s), n(_, _, _, s), sum);
            warpgroup_commit_batch();
            warpgroup_wait<1>();
            if (ph > 0 && threadIdx.x % 32 == 0) Empty::arrive(&shared.empty[(ph - 1) % kStages]);
        }
        warpgroup_wait<0>();
        warpgroup_fence_operand(sum);  // or the compiler waits after each product
        copy(AutoVectorizingCopyWithAssumedAlignment<64>{}, sum, p);  // two neighbours at once
    }
}

extern "C" cudaError_t cute_product(const half_t* m, const half_t* n, float* P, int Width) {
    Tensor M = make_tensor(m, make_shape(Width, Width), make_stride(Width, _1{}));
    Tensor N = make_tensor(n, make_shape(Width, Width), make_stride(_1{}, Width));
    auto copyM = make_tma_atom(SM90_TMA_LOAD{}, M, TilesM{}(_, _, 0), Shape<_128, _64>{});
    auto copyN = make_tma_atom(SM90_TMA_LOAD{}, N, TilesN{}(_, _, 0), Shape<_256, _64>{});
    using Instruction = SM90_64x256x16_F32F16F16_SS<GMMA::Major::K, GMMA::Major::MN>;
    auto multiply = make_tiled_mma(Instruction{}, Layout<Shape<_2, _1, _1>>{});
    auto kernel = cuteProduct<decltype(copyM), decltype(copyN), decltype(multiply)>;
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Shared));
    kernel<<<Width / 128 * (Width / 256), 288, sizeof(Shared)>>>(copyM, copyN, P, Width, multiply);
    return cudaGetLastError();
}
