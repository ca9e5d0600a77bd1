// Finding: wrong, wrong-rows
// Each band takes the first rows of M.
// Says: A band begins at M + firstRow * k.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define BLOCK_WIDTH 16
#define MOST_STREAMS 4

// Ends the program where a call fails.
#define CHECK(call)                                                                        \
    do {                                                                                   \
        cudaError_t error = (call);                                                        \
        if (error != cudaSuccess) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(EXIT_FAILURE);                                                            \
        }                                                                                  \
    } while (0)

// The kernel of lab 1, for a band of M of so many rows.
__global__ void bandKernel(const float* M, const float* N, float* P, int rows, int k, int l) {
    int Row = blockIdx.y * blockDim.y + threadIdx.y;
    int Col = blockIdx.x * blockDim.x + threadIdx.x;
    if (Row < rows && Col < l) {
        float Pvalue = 0.0f;
        for (int i = 0; i < k; ++i) {
            Pvalue += M[Row * k + i] * N[i * l + Col];
        }
        P[Row * l + Col] = Pvalue;
    }
}

// Host memory that is pinned (page-locked): the device copies it while the host goes on.
float* pinnedFloats(size_t elements) {
    float* memory = nullptr;
    CHECK(cudaMallocHost(&memory, elements * sizeof(float)));
    return memory;
}

void freePinned(float* memory) { CHECK(cudaFreeHost(memory)); }

// M and P are pinned. Band b is copied, computed and copied back in stream b % numStreams, which
// has device memory of its own for one band.
void overlappedMatrixMul(const float* M, const float* N, float* P, int j, int k, int l, int bands,
                         int numStreams) {
    int rowsOfBand = (j - 1) / bands + 1;
    size_t bytesN = static_cast<size_t>(k) * l * sizeof(float);
    size_t rowOfM = k * sizeof(float), rowOfP = l * sizeof(float);  // bytes

    float *d_N, *d_M[MOST_STREAMS], *d_P[MOST_STREAMS];
    cudaStream_t streams[MOST_STREAMS];
    CHECK(cudaMalloc(&d_N, bytesN));
    CHECK(cudaMemcpy(d_N, N, bytesN, cudaMemcpyHostToDevice));
    for (int s = 0; s < numStreams; ++s) {
        CHECK(cudaMalloc(&d_M[s], rowsOfBand * rowOfM));
        CHECK(cudaMalloc(&d_P[s], rowsOfBand * rowOfP));
        CHECK(cudaStreamCreate(&streams[s]));
    }

    for (int band = 0; band * rowsOfBand < j; ++band) {
        int s = band % numStreams;
        int firstRow = band * rowsOfBand;
        int rows = j - firstRow < rowsOfBand ? j - firstRow : rowsOfBand;
        CHECK(cudaMemcpyAsync(d_M[s], M, rows * rowOfM, cudaMemcpyHostToDevice, streams[s]));

        dim3 dimGrid((l - 1) / BLOCK_WIDTH + 1, (rows - 1) / BLOCK_WIDTH + 1);
        dim3 dimBlock(BLOCK_WIDTH, BLOCK_WIDTH);
        bandKernel<<<dimGrid, dimBlock, 0, streams[s]>>>(d_M[s], d_N, d_P[s], rows, k, l);
        CHECK(cudaGetLastError());

        CHECK(cudaMemcpyAsync(P + static_cast<size_t>(firstRow) * l, d_P[s], rows * rowOfP,
                              cudaMemcpyDeviceToHost, streams[s]));
    }

    CHECK(cudaDeviceSynchronize());
    for (int s = 0; s < numStreams; ++s) {
        CHECK(cudaStreamDestroy(streams[s]));
        CHECK(cudaFree(d_M[s]));
        CHECK(cudaFree(d_P[s]));
    }
    CHECK(cudaFree(d_N));
}
