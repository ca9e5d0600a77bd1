// Lab 4, going further: tensor cores. M, N and P = M x N are Width x Width. A warp multiplies tiles
// of TILE_SIDE x TILE_SIDE halves, and adds up their products as floats.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

using namespace nvcuda;

#define TILE_SIDE 16
#define BLOCK_SIDE 32
#define BLOCK_THREADS 128

// Ends the program if a call fails.
#define CHECK(call)                                                                        \
    do {                                                                                   \
        cudaError_t error = (call);                                                        \
        if (error != cudaSuccess) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(EXIT_FAILURE);                                                            \
        }                                                                                  \
    } while (0)

// Rounds floats to halves, one per thread.
__global__ void toHalfKernel(const float* from, half* to, int elements) {
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index < elements) to[index] = __float2half(from[index]);
}

// Step 1. A block is one warp, and computes one tile of P. Width is a multiple of TILE_SIDE.
__global__ void warpTileKernel(const half* M, const half* N, float* P, int Width) {
    int Row = blockIdx.y * TILE_SIDE, Col = blockIdx.x * TILE_SIDE;

    wmma::fragment<wmma::matrix_a, TILE_SIDE, TILE_SIDE, TILE_SIDE, half, wmma::row_major> m;
    wmma::fragment<wmma::matrix_b, TILE_SIDE, TILE_SIDE, TILE_SIDE, half, wmma::row_major> n;
    wmma::fragment<wmma::accumulator, TILE_SIDE, TILE_SIDE, TILE_SIDE, float> sum;
    wmma::fill_fragment(sum, 0.0f);

    for (int ph = 0; ph < Width / TILE_SIDE; ++ph) {
        wmma::load_matrix_sync(m, &M[Row * Width + ph * TILE_SIDE], Width);
        wmma::load_matrix_sync(n, &N[ph * TILE_SIDE * Width + Col], Width);
        wmma::mma_sync(sum, m, n, sum);
    }
    wmma::store_matrix_sync(&P[Row * Width + Col], sum, Width, wmma::mem_row_major);
}

// Step 2. The four warps of a block compute 2 x 2 tiles of P, and share their tiles of M and N.
__global__ void sharedTilesKernel(const half* M, const half* N, float* P, int Width) {
    // load_matrix_sync needs tiles that begin at multiples of 32 bytes.
    __shared__ __align__(32) half Mds[BLOCK_SIDE][TILE_SIDE];
    __shared__ __align__(32) half Nds[TILE_SIDE][BLOCK_SIDE];
    int Row = blockIdx.y * BLOCK_SIDE, Col = blockIdx.x * BLOCK_SIDE;

    int warp = threadIdx.x / 32;
    int rowInBlock = warp / 2 * TILE_SIDE, colInBlock = warp % 2 * TILE_SIDE;
    wmma::fragment<wmma::matrix_a, TILE_SIDE, TILE_SIDE, TILE_SIDE, half, wmma::row_major> m;
    wmma::fragment<wmma::matrix_b, TILE_SIDE, TILE_SIDE, TILE_SIDE, half, wmma::row_major> n;
    wmma::fragment<wmma::accumulator, TILE_SIDE, TILE_SIDE, TILE_SIDE, float> sum;
    wmma::fill_fragment(sum, 0.0f);

    for (int ph = 0; ph < Width / TILE_SIDE; ++ph) {
        for (int e = threadIdx.x; e < BLOCK_SIDE * TILE_SIDE; e += BLOCK_THREADS) {
            int r = e / TILE_SIDE, c = e % TILE_SIDE;
            Mds[r][c] = M[(Row + r) * Width + ph * TILE_SIDE + c];
        }
        for (int e = threadIdx.x; e < TILE_SIDE * BLOCK_SIDE; e += BLOCK_THREADS) {
            int r = e / BLOCK_SIDE, c = e % BLOCK_SIDE;
            Nds[r][c] = N[(ph * TILE_SIDE + r) * Width + Col + c];
        }
        __syncthreads();
        wmma::load_matrix_sync(m, &Mds[rowInBlock][0], TILE_SIDE);
        wmma::load_matrix_sync(n, &Nds[0][colInBlock], BLOCK_SIDE);
        wmma::mma_sync(sum, m, n, sum);
        __syncthreads();
    }
    float* tile = &P[(Row + rowInBlock) * Width + Col + colInBlock];
    wmma::store_matrix_sync(tile, sum, Width, wmma::mem_row_major);
}

// Copies a matrix to the device as halves. The caller frees them.
static half* halvesOnDevice(const float* A, int elements) {
    size_t bytes = elements * sizeof(float);
    float* d_A;
    half* d_halves;
    CHECK(cudaMalloc(&d_A, bytes));
    CHECK(cudaMalloc(&d_halves, elements * sizeof(half)));
    CHECK(cudaMemcpy(d_A, A, bytes, cudaMemcpyHostToDevice));
    toHalfKernel<<<(elements - 1) / 256 + 1, 256>>>(d_A, d_halves, elements);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(d_A));
    return d_halves;
}

// Rounds each element to a half, and back to a float, which holds every half.
void roundToHalf(const float* A, float* rounded, int elements) {
    half* d_halves = halvesOnDevice(A, elements);
    std::vector<half> halves(elements);
    CHECK(cudaMemcpy(halves.data(), d_halves, elements * sizeof(half), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_halves));
    for (int i = 0; i < elements; ++i) rounded[i] = __half2float(halves[i]);
}

typedef void (*Kernel)(const half* M, const half* N, float* P, int Width);

// A block computes `side` x `side` elements of P.
static void multiply(Kernel kernel, int side, int threads, const float* M, const float* N, float* P,
                     int Width) {
    size_t bytes = static_cast<size_t>(Width) * Width * sizeof(float);
    half* d_M = halvesOnDevice(M, Width * Width);
    half* d_N = halvesOnDevice(N, Width * Width);
    float* d_P;
    CHECK(cudaMalloc(&d_P, bytes));
    kernel<<<dim3(Width / side, Width / side), threads>>>(d_M, d_N, d_P, Width);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(P, d_P, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_M));
    CHECK(cudaFree(d_N));
    CHECK(cudaFree(d_P));
}

void warpTileMatrixMul(const float* M, const float* N, float* P, int Width) {
    multiply(warpTileKernel, TILE_SIDE, 32, M, N, P, Width);
}

void sharedTilesMatrixMul(const float* M, const float* N, float* P, int Width) {
    multiply(sharedTilesKernel, BLOCK_SIDE, BLOCK_THREADS, M, N, P, Width);
}
