// Lab 4, the challenge: register tiling. M is j x k, N is k x l, P = M x N is j x l. Each thread
// computes several elements of P, so it uses each word of shared memory for several products.
// The handout is registers/README.md.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

// The width of the tiles of plainKernel.
#define TILE_SIDE 16

// A block computes BM x BN elements of P, in phases of BK columns of M and rows of N.
#define BM 64
#define BN 64
#define BK 8
// A thread computes TM x TN of these elements. In step 1 it computes a column of TM elements.
#define TM 8
#define TN 8

// Ends the program if a call fails.
#define CHECK(call)                                                                        \
    do {                                                                                   \
        cudaError_t error = (call);                                                        \
        if (error != cudaSuccess) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(EXIT_FAILURE);                                                            \
        }                                                                                  \
    } while (0)

// The kernel to compare with, which you need not change: each thread computes one element of P, as
// in lab 3. Each product needs two floats of shared memory.
__global__ void plainKernel(const float* M, const float* N, float* P, int j, int k, int l) {
    __shared__ float Mds[TILE_SIDE][TILE_SIDE];
    __shared__ float Nds[TILE_SIDE][TILE_SIDE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = blockIdx.y * TILE_SIDE + ty;
    int Col = blockIdx.x * TILE_SIDE + tx;

    float Pvalue = 0.0f;
    for (int ph = 0; ph < (k - 1) / TILE_SIDE + 1; ++ph) {
        int ColOfM = ph * TILE_SIDE + tx, RowOfN = ph * TILE_SIDE + ty;
        Mds[ty][tx] = Row < j && ColOfM < k ? M[Row * k + ColOfM] : 0.0f;
        Nds[ty][tx] = RowOfN < k && Col < l ? N[RowOfN * l + Col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < TILE_SIDE; ++i) {
            Pvalue += Mds[ty][i] * Nds[i][tx];
        }
        __syncthreads();
    }
    if (Row < j && Col < l) P[Row * l + Col] = Pvalue;
}

// Loads the tiles of a phase: BM x BK elements of M and BK x BN elements of N. You need not change
// it. The thread with number t in its block loads elements t, t + threads, t + 2 * threads, ...
__device__ void loadTiles(float Mds[BM][BK], float Nds[BK][BN], const float* M, const float* N,
                          int j, int k, int l, int ph) {
    int t = threadIdx.y * blockDim.x + threadIdx.x;
    int threads = blockDim.x * blockDim.y;
    for (int e = t; e < BM * BK; e += threads) {
        int Row = blockIdx.y * BM + e / BK, Col = ph * BK + e % BK;
        Mds[e / BK][e % BK] = Row < j && Col < k ? M[Row * k + Col] : 0.0f;
    }
    for (int e = t; e < BK * BN; e += threads) {
        int Row = ph * BK + e / BN, Col = blockIdx.x * BN + e % BN;
        Nds[e / BN][e % BN] = Row < k && Col < l ? N[Row * l + Col] : 0.0f;
    }
}

// Step 1. A thread computes a column of TM elements of P, of rows ty * TM to ty * TM + TM - 1 and
// column tx of the block's tile. A block has BN x BM / TM threads.
__global__ void columnKernel(const float* M, const float* N, float* P, int j, int k, int l) {
    __shared__ float Mds[BM][BK];
    __shared__ float Nds[BK][BN];
    int tx = threadIdx.x, ty = threadIdx.y;

    float Pvalue[TM] = {};
    for (int ph = 0; ph < (k - 1) / BK + 1; ++ph) {
        loadTiles(Mds, Nds, M, N, j, k, l, ph);
        __syncthreads();
        for (int i = 0; i < BK; ++i) {
            // TODO(1): read the element in row i and column tx of Nds once, into a local variable.
            // Add its products with TM elements of Mds to Pvalue[0..TM-1].
        }
        __syncthreads();
    }

    // TODO(2): store Pvalue[0..TM-1] in this thread's rows and column of P, if they are inside P.
}

// Step 2. A thread computes TM x TN elements of P: of rows ty, ty + BM / TM, ... and columns tx,
// tx + BN / TN, ... of the block's tile, so that neighbours in x stay neighbours in memory. A block
// has BN / TN x BM / TM threads.
__global__ void registerTileKernel(const float* M, const float* N, float* P, int j, int k, int l) {
    __shared__ float Mds[BM][BK];
    __shared__ float Nds[BK][BN];
    int tx = threadIdx.x, ty = threadIdx.y;

    float Pvalue[TM][TN] = {};
    for (int ph = 0; ph < (k - 1) / BK + 1; ++ph) {
        loadTiles(Mds, Nds, M, N, j, k, l, ph);
        __syncthreads();
        for (int i = 0; i < BK; ++i) {
            // TODO(3): read TM elements of column i of Mds and TN elements of row i of Nds into
            // local arrays, m[TM] and n[TN].

            // TODO(4): add the TM x TN products of m and n to Pvalue.
        }
        __syncthreads();
    }

    // TODO(5): store the TM x TN sums, if their elements are inside P.
}

// Step 3. Does the same with loads and stores of float4, which are four floats. k and l are
// multiples of 4. Mds is stored transposed, so that the rows that a thread reads are side by side.
// A thread has two groups of four rows, which begin at 4 * ty and at 4 * ty + BM / 2. In the same
// way it has two groups of four columns.
__global__ void vectorKernel(const float* M, const float* N, float* P, int j, int k, int l) {
    __shared__ __align__(16) float Mds[BK][BM];
    __shared__ __align__(16) float Nds[BK][BN];
    int tx = threadIdx.x, ty = threadIdx.y;
    int t = ty * blockDim.x + tx;
    int threads = blockDim.x * blockDim.y;

    float Pvalue[TM][TN] = {};
    for (int ph = 0; ph < (k - 1) / BK + 1; ++ph) {
        for (int e = 4 * t; e < BM * BK; e += 4 * threads) {
            int r = e / BK, c = e % BK;
            int Row = blockIdx.y * BM + r, Col = ph * BK + c;
            float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
            // TODO(6): if this is inside M, load four elements of row Row, from column Col, into v:
            // *reinterpret_cast<const float4*>(&M[...]). Store them in column r of Mds.
        }
        for (int e = 4 * t; e < BK * BN; e += 4 * threads) {
            int r = e / BN, c = e % BN;
            int Row = ph * BK + r, Col = blockIdx.x * BN + c;
            float4 v = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
            // TODO(7): do the same with N. Store v at once in row r of Nds, from column c.
        }
        __syncthreads();

        for (int i = 0; i < BK; ++i) {
            // TODO(8): fill m[TM] and n[TN] as in step 2, with two float4 each. Add the products.
        }
        __syncthreads();
    }

    // TODO(9): store the sums in P, four at once.
}

// --- The host side, complete. ---

typedef void (*Kernel)(const float* M, const float* N, float* P, int j, int k, int l);

static void multiply(Kernel kernel, dim3 dimGrid, dim3 dimBlock, const float* M, const float* N,
                     float* P, int j, int k, int l) {
    size_t bytesM = static_cast<size_t>(j) * k * sizeof(float);
    size_t bytesN = static_cast<size_t>(k) * l * sizeof(float);
    size_t bytesP = static_cast<size_t>(j) * l * sizeof(float);
    float *d_M, *d_N, *d_P;
    CHECK(cudaMalloc(&d_M, bytesM));
    CHECK(cudaMalloc(&d_N, bytesN));
    CHECK(cudaMalloc(&d_P, bytesP));
    CHECK(cudaMemcpy(d_M, M, bytesM, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_N, N, bytesN, cudaMemcpyHostToDevice));
    kernel<<<dimGrid, dimBlock>>>(d_M, d_N, d_P, j, k, l);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(P, d_P, bytesP, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_M));
    CHECK(cudaFree(d_N));
    CHECK(cudaFree(d_P));
}

static dim3 blocksFor(int j, int l, int rows, int cols) {
    return dim3((l - 1) / cols + 1, (j - 1) / rows + 1);
}

void plainMatrixMul(const float* M, const float* N, float* P, int j, int k, int l) {
    multiply(plainKernel, blocksFor(j, l, TILE_SIDE, TILE_SIDE), dim3(TILE_SIDE, TILE_SIDE), M, N,
             P, j, k, l);
}

void columnMatrixMul(const float* M, const float* N, float* P, int j, int k, int l) {
    multiply(columnKernel, blocksFor(j, l, BM, BN), dim3(BN, BM / TM), M, N, P, j, k, l);
}

void registerTileMatrixMul(const float* M, const float* N, float* P, int j, int k, int l) {
    multiply(registerTileKernel, blocksFor(j, l, BM, BN), dim3(BN / TN, BM / TM), M, N, P, j, k, l);
}

void vectorMatrixMul(const float* M, const float* N, float* P, int j, int k, int l) {
    multiply(vectorKernel, blocksFor(j, l, BM, BN), dim3(BN / TN, BM / TM), M, N, P, j, k, l);
}
