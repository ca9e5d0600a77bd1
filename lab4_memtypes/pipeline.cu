// Lab 4, going further: pipelines. M, N and P = M x N are Width x Width, and Width is a multiple of
// TILE_SIDE. While a block multiplies the tiles of a phase, it loads those of the next phase.
// The handout is pipeline/README.md.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

// The width of a tile. A block has TILE_SIDE x TILE_SIDE threads.
#define TILE_SIDE 16

// Ends the program if a call fails.
#define CHECK(call)                                                                        \
    do {                                                                                   \
        cudaError_t error = (call);                                                        \
        if (error != cudaSuccess) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(EXIT_FAILURE);                                                            \
        }                                                                                  \
    } while (0)

// Step 1. A thread loads its elements of the next tiles into registers before the products, and
// stores them in shared memory after the products.
__global__ void doubleBufferKernel(const float* M, const float* N, float* P, int Width) {
    // TODO(1): declare two pairs of tiles in shared memory, Mds[2] and Nds[2], of TILE_SIDE x
    // TILE_SIDE floats each.

    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = blockIdx.y * TILE_SIDE + ty;
    int Col = blockIdx.x * TILE_SIDE + tx;
    int phases = Width / TILE_SIDE;

    // TODO(2): load the tiles of phase 0 into pair 0: Mds[0] and Nds[0]. Wait for all threads.

    float Pvalue = 0.0f;
    for (int ph = 0; ph < phases; ++ph) {
        // TODO(3): if there is a next phase, load this thread's element of M and of N for it into
        // two local variables.

        // TODO(4): add the TILE_SIDE products of this phase to Pvalue, from the pair ph % 2.

        // TODO(5): if there is a next phase, store the two elements in the other pair. Wait for all
        // threads: one barrier per phase is enough.
    }
    P[Row * Width + Col] = Pvalue;
}

// Step 2. Asynchronous copies load the next tiles into shared memory, without registers.
__global__ void asyncKernel(const float* M, const float* N, float* P, int Width) {
    __shared__ float Mds[2][TILE_SIDE][TILE_SIDE];
    __shared__ float Nds[2][TILE_SIDE][TILE_SIDE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = blockIdx.y * TILE_SIDE + ty;
    int Col = blockIdx.x * TILE_SIDE + tx;
    int phases = Width / TILE_SIDE;

    // TODO(6): start the asynchronous copies of this thread's elements of phase 0 into pair 0, and
    // commit them.

    float Pvalue = 0.0f;
    for (int ph = 0; ph < phases; ++ph) {
        // TODO(7): wait for this thread's copies of phase ph. Then wait for all threads.

        // TODO(8): if there is a next phase, start the copies of its elements into the other pair,
        // and commit them.

        for (int i = 0; i < TILE_SIDE; ++i) {
            Pvalue += Mds[ph % 2][ty][i] * Nds[ph % 2][i][tx];
        }
    }
    P[Row * Width + Col] = Pvalue;
}

// --- The host side, complete. ---

typedef void (*Kernel)(const float* M, const float* N, float* P, int Width);

static void multiply(Kernel kernel, const float* M, const float* N, float* P, int Width) {
    size_t bytes = static_cast<size_t>(Width) * Width * sizeof(float);
    float *d_M, *d_N, *d_P;
    CHECK(cudaMalloc(&d_M, bytes));
    CHECK(cudaMalloc(&d_N, bytes));
    CHECK(cudaMalloc(&d_P, bytes));
    CHECK(cudaMemcpy(d_M, M, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_N, N, bytes, cudaMemcpyHostToDevice));
    dim3 dimBlock(TILE_SIDE, TILE_SIDE), dimGrid(Width / TILE_SIDE, Width / TILE_SIDE);
    kernel<<<dimGrid, dimBlock>>>(d_M, d_N, d_P, Width);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(P, d_P, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_M));
    CHECK(cudaFree(d_N));
    CHECK(cudaFree(d_P));
}

void doubleBufferMatrixMul(const float* M, const float* N, float* P, int Width) {
    multiply(doubleBufferKernel, M, N, P, Width);
}

void asyncMatrixMul(const float* M, const float* N, float* P, int Width) {
    multiply(asyncKernel, M, N, P, Width);
}
