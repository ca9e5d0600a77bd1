// Lab 4, going further: copies that overlap with computing. M is j x k and tall, N is k x l, and
// P = M x N is j x l. The host copies M to the device in bands of rows. While one band is computed,
// the next one is copied in, and the one before is copied back. The handout is overlap/README.md.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define BLOCK_WIDTH 16
#define MOST_STREAMS 4

// Ends the program if a call fails.
#define CHECK(call)                                                                        \
    do {                                                                                   \
        cudaError_t error = (call);                                                        \
        if (error != cudaSuccess) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(EXIT_FAILURE);                                                            \
        }                                                                                  \
    } while (0)

// The kernel of lab 1, for a band of M that has `rows` rows.
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

// Returns pinned (page-locked) host memory: the device copies it while the host continues.
float* pinnedFloats(size_t elements) {
    // TODO(1): allocate pinned memory with cudaMallocHost instead of malloc. In freePinned, use
    // cudaFreeHost.
    return static_cast<float*>(malloc(elements * sizeof(float)));
}

void freePinned(float* memory) { free(memory); }

// M and P are pinned. Band b is copied, computed and copied back in stream b % numStreams. Each
// stream has its own device memory for one band.
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
        // TODO(2): create streams[s].
        streams[s] = nullptr;
    }

    for (int band = 0; band * rowsOfBand < j; ++band) {
        int s = band % numStreams;
        int firstRow = band * rowsOfBand;
        int rows = j - firstRow < rowsOfBand ? j - firstRow : rowsOfBand;
        // TODO(3): copy the band's rows of M into d_M[s], in streams[s] and without waiting. Use
        // cudaMemcpyAsync.

        dim3 dimGrid((l - 1) / BLOCK_WIDTH + 1, (rows - 1) / BLOCK_WIDTH + 1);
        dim3 dimBlock(BLOCK_WIDTH, BLOCK_WIDTH);
        // TODO(4): launch bandKernel for d_M[s], d_N and d_P[s]. The fourth launch parameter is
        // streams[s]. Then check the launch for errors.

        // TODO(5): copy the band's rows from d_P[s] back into P, in streams[s] and without waiting.
    }

    // TODO(6): wait until all streams have finished: only then is P complete.

    for (int s = 0; s < numStreams; ++s) {
        // TODO(7): destroy streams[s].
        CHECK(cudaFree(d_M[s]));
        CHECK(cudaFree(d_P[s]));
    }
    CHECK(cudaFree(d_N));
}
