// Lab 2, bank conflicts. Shared memory has 32 banks, each one 4-byte word wide; word w is
// in bank w % 32. Words of different banks are served together, different words of one bank one
// after the other.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

// As many as a warp has threads.
#define BANKS 32

// Ends the program where a call fails.
#define CHECK(call)                                                                        \
    do {                                                                                   \
        cudaError_t error = (call);                                                        \
        if (error != cudaSuccess) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(EXIT_FAILURE);                                                            \
        }                                                                                  \
    } while (0)

// A demonstration, for reading only: a warp stores and loads one column of a row-major array whose
// rows are rowWords wide.
__global__ void columnKernel(float* out, int rowWords) {
    extern __shared__ float array[];
    int tx = threadIdx.x;
    array[tx * rowWords] = tx;
    out[tx] = array[tx * rowWords];
}

// B = A transposed, through a tile, so that loads and stores of device memory both run along rows.
// rows and cols are multiples of BANKS, a block has BANKS x BANKS threads.
__global__ void transposeKernel(const float* A, float* B, int rows, int cols) {
    // One word more a row: the words of a column lie in different banks.
    __shared__ float tile[BANKS][BANKS + 1];
    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = blockIdx.y * BANKS + ty;
    int Col = blockIdx.x * BANKS + tx;
    tile[ty][tx] = A[Row * cols + Col];
    __syncthreads();
    int RowOfB = blockIdx.x * BANKS + ty;
    int ColOfB = blockIdx.y * BANKS + tx;
    B[RowOfB * rows + ColOfB] = tile[tx][ty];
}

// Multiplies each row of A by its first element. A has rows of BANKS elements, and as many rows as
// the grid has blocks times BANKS.
__global__ void scaleRowsKernel(const float* A, float* B) {
    __shared__ float tile[BANKS][BANKS];
    // A warp walks along a row: all its threads read tile[r][0], which is no conflict.
    int r = threadIdx.y, c = threadIdx.x;
    int Row = blockIdx.x * BANKS + r;
    tile[r][c] = A[Row * BANKS + c];
    __syncthreads();
    B[Row * BANKS + c] = tile[r][c] * tile[r][0];
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

void column(float* out, int rowWords) {
    float* d_out = toDevice(out, BANKS);
    columnKernel<<<1, BANKS, BANKS * rowWords * sizeof(float)>>>(d_out, rowWords);
    CHECK(cudaGetLastError());
    toHost(out, d_out, BANKS);
}

void transpose(const float* A, float* B, int rows, int cols) {
    size_t elements = static_cast<size_t>(rows) * cols;
    float *d_A = toDevice(A, elements), *d_B = toDevice(B, elements);
    transposeKernel<<<dim3(cols / BANKS, rows / BANKS), dim3(BANKS, BANKS)>>>(d_A, d_B, rows, cols);
    CHECK(cudaGetLastError());
    toHost(B, d_B, elements);
    CHECK(cudaFree(d_A));
}

void scaleRows(const float* A, float* B, int rows) {
    size_t elements = static_cast<size_t>(rows) * BANKS;
    float *d_A = toDevice(A, elements), *d_B = toDevice(B, elements);
    scaleRowsKernel<<<rows / BANKS, dim3(BANKS, BANKS)>>>(d_A, d_B);
    CHECK(cudaGetLastError());
    toHost(B, d_B, elements);
    CHECK(cudaFree(d_A));
}
