// Lab 4, going further: pipelines. M, N and P = M x N are Width x Width, and Width is a multiple of
// TILE_SIDE. While a block multiplies the tiles of a phase, those of the next phase are loaded.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

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

// Step 1. The next elements are loaded into registers, and are stored after the products.
__global__ void doubleBufferKernel(const float* M, const float* N, float* P, int Width) {
    __shared__ float Mds[2][TILE_SIDE][TILE_SIDE];
    __shared__ float Nds[2][TILE_SIDE][TILE_SIDE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = blockIdx.y * TILE_SIDE + ty;
    int Col = blockIdx.x * TILE_SIDE + tx;
    int phases = Width / TILE_SIDE;

    Mds[0][ty][tx] = M[Row * Width + tx];
    Nds[0][ty][tx] = N[ty * Width + Col];
    __syncthreads();

    float Pvalue = 0.0f;
    for (int ph = 0; ph < phases; ++ph) {
        float m = 0.0f, n = 0.0f;
        if (ph + 1 < phases) {
            m = M[Row * Width + (ph + 1) * TILE_SIDE + tx];
            n = N[((ph + 1) * TILE_SIDE + ty) * Width + Col];
        }
        for (int i = 0; i < TILE_SIDE; ++i) {
            Pvalue += Mds[ph % 2][ty][i] * Nds[ph % 2][i][tx];
        }
        if (ph + 1 < phases) {
            Mds[(ph + 1) % 2][ty][tx] = m;
            Nds[(ph + 1) % 2][ty][tx] = n;
        }
        __syncthreads();
    }
    P[Row * Width + Col] = Pvalue;
}

// Step 2. Asynchronous copies bring the next tiles into shared memory, without registers.
__global__ void asyncKernel(const float* M, const float* N, float* P, int Width) {
    __shared__ float Mds[2][TILE_SIDE][TILE_SIDE];
    __shared__ float Nds[2][TILE_SIDE][TILE_SIDE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = blockIdx.y * TILE_SIDE + ty;
    int Col = blockIdx.x * TILE_SIDE + tx;
    int phases = Width / TILE_SIDE;

    __pipeline_memcpy_async(&Mds[0][ty][tx], &M[Row * Width + tx], sizeof(float));
    __pipeline_memcpy_async(&Nds[0][ty][tx], &N[ty * Width + Col], sizeof(float));
    __pipeline_commit();

    float Pvalue = 0.0f;
    for (int ph = 0; ph < phases; ++ph) {
        // The wait is for the copies of this thread, the barrier for those of all others.
        __pipeline_wait_prior(0);
        __syncthreads();
        if (ph + 1 < phases) {
            int next = (ph + 1) % 2, k = (ph + 1) * TILE_SIDE;
            __pipeline_memcpy_async(&Mds[next][ty][tx], &M[Row * Width + k + tx], sizeof(float));
            __pipeline_memcpy_async(&Nds[next][ty][tx], &N[(k + ty) * Width + Col], sizeof(float));
            __pipeline_commit();
        }
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
