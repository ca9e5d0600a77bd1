// P = M x N with tensor cores by warps (wmma): M and N are half, P and the sums are float. All are
// row-major and square; Width is a multiple of 64. Runs on any card since Volta, and on the
// simulator: make try FILE=lab4_memtypes/next/wmma.cu
#include <cuda_fp16.h>
#include <mma.h>

#include <cstdio>
#include <cstdlib>

using namespace nvcuda::wmma;

// Four warps compute a tile of P of 128 x 128, each one quarter of it.
__global__ void wmmaProduct(const half* M, const half* N, float* P, int Width) {
    const int warp = threadIdx.x / 32;
    const int Row = 128 * blockIdx.y + 64 * (warp / 2), Col = 128 * blockIdx.x + 64 * (warp % 2);
    if (Row >= Width || Col >= Width) return;
    // warps:begin
    fragment<matrix_a, 16, 16, 16, half, row_major> m[4];
    fragment<matrix_b, 16, 16, 16, half, row_major> n;
    fragment<accumulator, 16, 16, 16, float> sum[4][4];
    for (auto& row : sum)
        for (auto& tile : row) fill_fragment(tile, 0.0f);
    for (int k = 0; k < Width; k += 16) {  // a phase
        for (int r = 0; r < 4; ++r)        // 64 rows of M
            load_matrix_sync(m[r], &M[(Row + 16 * r) * Width + k], Width);
        for (int c = 0; c < 4; ++c) {
            load_matrix_sync(n, &N[k * Width + Col + 16 * c], Width);
            for (int r = 0; r < 4; ++r) mma_sync(sum[r][c], m[r], n, sum[r][c]);
        }
    }
    // warps:end
    for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 4; ++c)
            store_matrix_sync(&P[(Row + 16 * r) * Width + Col + 16 * c], sum[r][c], Width,
                              mem_row_major);
}

extern "C" cudaError_t wmma_product(const half* M, const half* N, float* P, int Width) {
    const dim3 grid((Width + 127) / 128, (Width + 127) / 128);
    wmmaProduct<<<grid, 128>>>(M, N, P, Width);
    return cudaGetLastError();
}

// Multiplies small whole numbers, so that each sum is exact.
int main(int argc, char** argv) {
    const int Width = argc > 1 ? std::atoi(argv[1]) : 128;
    half *M, *N;
    float* P;
    cudaMallocManaged(&M, sizeof(half) * Width * Width);
    cudaMallocManaged(&N, sizeof(half) * Width * Width);
    cudaMallocManaged(&P, sizeof(float) * Width * Width);
    for (int i = 0; i < Width * Width; ++i) {
        M[i] = __int2half_rn(i % 5 - 2);
        N[i] = __int2half_rn(i % 7 - 3);
    }
    wmma_product(M, N, P, Width);
    const cudaError_t error = cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < Width * Width; ++i) {
        float right = 0;
        for (int k = 0; k < Width; ++k)
            right +=
                __half2float(M[i / Width * Width + k]) * __half2float(N[k * Width + i % Width]);
        wrong += P[i] != right;
    }
    std::printf("%d of %d elements are wrong (%s)\n", wrong, Width * Width,
                cudaGetErrorString(error));
    cudaFree(M);
    cudaFree(N);
    cudaFree(P);
    return wrong != 0 || error != cudaSuccess;
}
