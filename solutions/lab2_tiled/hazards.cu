// Lab 2, hazards. In each kernel no barrier is missing and none is too many.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#ifndef TILE_WIDTH
#define TILE_WIDTH 16
#endif
#define MAX_BLOCK_WIDTH 20
#define REDUCE_THREADS 128
#define ROTATE_THREADS 64

// Ends the program where a call fails.
#define CHECK(call)                                                                        \
    do {                                                                                   \
        cudaError_t error = (call);                                                        \
        if (error != cudaSuccess) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(EXIT_FAILURE);                                                            \
        }                                                                                  \
    } while (0)

// One block of TILE_WIDTH x TILE_WIDTH threads, one number a thread.
__global__ void fourQuestionsKernel(const float* in, float* out) {
    __shared__ float tile[TILE_WIDTH][TILE_WIDTH];
    int tx = threadIdx.x, ty = threadIdx.y;
    float myNumber = in[ty * TILE_WIDTH + tx];
    tile[ty][tx] = myNumber;
    // No barrier: a thread reads the element that it has written itself.
    float own = tile[ty][tx];
    // Another thread has written the element across the diagonal.
    __syncthreads();
    float transposed = tile[tx][ty];
    // No barrier: no thread has written since.
    float turned = tile[TILE_WIDTH - tx - 1][ty];
    // Two other threads read the element that is now written again.
    __syncthreads();
    tile[ty][tx] = own + 2 * transposed + 4 * turned;
    out[ty * TILE_WIDTH + tx] = tile[ty][tx];
}

// Transposes each square of blockDim.x x blockDim.x elements of A in place; blockDim.x may be
// anything from 1 to MAX_BLOCK_WIDTH. A is row-major and A_width wide.
__global__ void blockTransposeKernel(float* A, int A_width) {
    __shared__ float blockA[MAX_BLOCK_WIDTH][MAX_BLOCK_WIDTH];
    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = blockIdx.y * blockDim.y + ty;
    int Col = blockIdx.x * blockDim.x + tx;
    blockA[ty][tx] = A[Row * A_width + Col];
    __syncthreads();
    A[Row * A_width + Col] = blockA[tx][ty];
}

// Divides each column of A by its norm, the sum of its absolute values. One block a column; the
// sums of its threads are added in a tree, half as many of them in each step.
__global__ void normalizeColumnsKernel(const float* A, float* B, int rows, int cols) {
    __shared__ float partial[REDUCE_THREADS];
    int tid = threadIdx.x;
    int Col = blockIdx.x;
    float sum = 0.0f;
    for (int Row = tid; Row < rows; Row += blockDim.x) {
        sum += fabsf(A[Row * cols + Col]);
    }
    partial[tid] = sum;
    for (int kb = blockDim.x / 2; kb > 0; kb /= 2) {
        __syncthreads();
        if (tid < kb) {
            partial[tid] += partial[tid + kb];
        }
    }
    __syncthreads();
    float norm = partial[0];
    for (int Row = tid; Row < rows; Row += blockDim.x) {
        B[Row * cols + Col] = A[Row * cols + Col] / norm;
    }
}

// The early draft of the tiled kernel, repaired. Width is a multiple of TILE_WIDTH.
__global__ void draftMatrixMulKernel(const float* M, const float* N, float* P, int Width) {
    __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
    __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];
    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = blockIdx.y * TILE_WIDTH + ty;
    int Col = blockIdx.x * TILE_WIDTH + tx;
    float Pvalue = 0.0f;
    for (int ph = 0; ph < Width / TILE_WIDTH; ++ph) {
        Mds[ty][tx] = M[Row * Width + ph * TILE_WIDTH + tx];
        Nds[ty][tx] = N[(ph * TILE_WIDTH + ty) * Width + Col];
        __syncthreads();
        for (int k = 0; k < TILE_WIDTH; ++k) {
            Pvalue += Mds[ty][k] * Nds[k][tx];
        }
        __syncthreads();
    }
    P[Row * Width + Col] = Pvalue;
}

// A demonstration, for reading only: this one stays racy. Each thread takes the number of its
// right neighbour, but one may be overwritten before its left neighbour has read it.
__global__ void racyRotateKernel(const float* in, float* out) {
    __shared__ float number[ROTATE_THREADS];
    int tx = threadIdx.x;
    number[tx] = in[tx];
    __syncthreads();
    number[tx] = number[(tx + 1) % ROTATE_THREADS];
    out[tx] = number[tx];
}

// --- The host side, complete. ---

// A copy in device memory of its own.
static float* toDevice(const float* host, size_t elements) {
    float* device;
    CHECK(cudaMalloc(&device, elements * sizeof(float)));
    CHECK(cudaMemcpy(device, host, elements * sizeof(float), cudaMemcpyHostToDevice));
    return device;
}

static void toHost(float* host, float* device, size_t elements) {
    CHECK(cudaMemcpy(host, device, elements * sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(device));
}

// The tests ask for it: in and out of fourQuestions have tileWidth() x tileWidth() elements.
int tileWidth() { return TILE_WIDTH; }

void fourQuestions(const float* in, float* out) {
    size_t elements = TILE_WIDTH * TILE_WIDTH;
    float *d_in = toDevice(in, elements), *d_out = toDevice(out, elements);
    fourQuestionsKernel<<<1, dim3(TILE_WIDTH, TILE_WIDTH)>>>(d_in, d_out);
    CHECK(cudaGetLastError());
    toHost(out, d_out, elements);
    CHECK(cudaFree(d_in));
}

// BLOCK_WIDTH divides rows and cols and is at most MAX_BLOCK_WIDTH.
void blockTranspose(float* A, int rows, int cols, int BLOCK_WIDTH) {
    size_t elements = static_cast<size_t>(rows) * cols;
    float* d_A = toDevice(A, elements);
    dim3 dimGrid(cols / BLOCK_WIDTH, rows / BLOCK_WIDTH);
    blockTransposeKernel<<<dimGrid, dim3(BLOCK_WIDTH, BLOCK_WIDTH)>>>(d_A, cols);
    CHECK(cudaGetLastError());
    toHost(A, d_A, elements);
}

void normalizeColumns(const float* A, float* B, int rows, int cols) {
    size_t elements = static_cast<size_t>(rows) * cols;
    float *d_A = toDevice(A, elements), *d_B = toDevice(B, elements);
    normalizeColumnsKernel<<<cols, REDUCE_THREADS>>>(d_A, d_B, rows, cols);
    CHECK(cudaGetLastError());
    toHost(B, d_B, elements);
    CHECK(cudaFree(d_A));
}

void draftMatrixMul(const float* M, const float* N, float* P, int Width) {
    size_t elements = static_cast<size_t>(Width) * Width;
    float *d_M = toDevice(M, elements), *d_N = toDevice(N, elements), *d_P = toDevice(P, elements);
    dim3 dimGrid(Width / TILE_WIDTH, Width / TILE_WIDTH);
    draftMatrixMulKernel<<<dimGrid, dim3(TILE_WIDTH, TILE_WIDTH)>>>(d_M, d_N, d_P, Width);
    CHECK(cudaGetLastError());
    toHost(P, d_P, elements);
    CHECK(cudaFree(d_M));
    CHECK(cudaFree(d_N));
}

void racyRotate(const float* in, float* out) {
    float *d_in = toDevice(in, ROTATE_THREADS), *d_out = toDevice(out, ROTATE_THREADS);
    racyRotateKernel<<<1, ROTATE_THREADS>>>(d_in, d_out);
    CHECK(cudaGetLastError());
    toHost(out, d_out, ROTATE_THREADS);
    CHECK(cudaFree(d_in));
}
