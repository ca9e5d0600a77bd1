// Lab 4, going further: tensor cores. M, N and P = M x N are Width x Width. A warp multiplies tiles
// of 16 x 16 halves, and adds up their products as floats. The handout is tensor/README.md.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

using namespace nvcuda;  // for the names of mma.h: wmma::...

// The width of a tile. Width is a multiple of it.
#define TILE_SIDE 16
// Step 2: the width of the 2 x 2 tiles of P that a block computes, and its threads: four warps.
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
    // TODO(1): compute the index of this thread's element. If there is such an element, round it to
    // a half, and store it in to.
}

// Step 1. A block is one warp, and computes one tile of P, whose first element is in row Row and
// column Col. All 32 threads make each call of wmma together, with the same arguments.
__global__ void warpTileKernel(const half* M, const half* N, float* P, int Width) {
    int Row = blockIdx.y * TILE_SIDE, Col = blockIdx.x * TILE_SIDE;

    // TODO(2): declare three fragments: m for a tile of M, n for a tile of N, and sum for the tile
    // of P. Fill sum with 0.

    for (int ph = 0; ph < Width / TILE_SIDE; ++ph) {
        // TODO(3): load m and n: the tiles of phase ph. Add their product to sum.
    }

    // TODO(4): store sum in P.
}

// Step 2. A block is four warps, and computes 2 x 2 tiles of P. Warp 0 computes the upper left
// tile, warp 1 the upper right one, and warps 2 and 3 those below. Width is a multiple of
// BLOCK_SIDE.
__global__ void sharedTilesKernel(const half* M, const half* N, float* P, int Width) {
    // load_matrix_sync needs tiles that begin at multiples of 32 bytes.
    __shared__ __align__(32) half Mds[BLOCK_SIDE][TILE_SIDE];
    __shared__ __align__(32) half Nds[TILE_SIDE][BLOCK_SIDE];
    int Row = blockIdx.y * BLOCK_SIDE, Col = blockIdx.x * BLOCK_SIDE;

    // TODO(5): compute the number of this warp in its block. From it, compute the row and the
    // column in which its tile begins, within the BLOCK_SIDE x BLOCK_SIDE elements of the block.
    // Declare the fragments of this warp, and fill its sum, as in step 1.

    for (int ph = 0; ph < Width / TILE_SIDE; ++ph) {
        // TODO(6): let the threads of the block fill Mds and Nds with the elements of phase ph.

        // TODO(7): wait until both tiles are full. Load the two tiles of this warp from Mds and
        // Nds, and add their product to the sum. Wait again, before a thread fills the next tiles.
    }

    // TODO(8): store the sum in this warp's tile of P.
}

// --- The host side, complete. ---

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
