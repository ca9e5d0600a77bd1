// A program of its own, as an example: the sum of 1, 2, ... n.
//   make try FILE=common/simulator/programs/sum.cu ARGS=1000
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                             \
    do {                                                                        \
        const cudaError_t error = (call);                                       \
        if (error != cudaSuccess) {                                             \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error)); \
            std::exit(1);                                                       \
        }                                                                       \
    } while (0)

constexpr int kThreads = 128;

// Adds the sum of `n` numbers to *sum.
__global__ void add(const int* numbers, int n, int* sum) {
    __shared__ int part[kThreads];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? numbers[i] : 0;
    for (int half = kThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0) atomicAdd(sum, part[0]);
}

int main(int argc, char** argv) {
    const int n = argc > 1 ? std::atoi(argv[1]) : 100;
    if (n < 1 || n > 60000) {
        std::fprintf(stderr, "sum: write a number from 1 to 60000\n");
        return 2;
    }
    std::vector<int> numbers(n);
    for (int i = 0; i < n; ++i) numbers[i] = i + 1;

    int *deviceNumbers, *deviceSum, sum = 0;
    CHECK(cudaMalloc(&deviceNumbers, n * sizeof(int)));
    CHECK(cudaMalloc(&deviceSum, sizeof(int)));
    CHECK(cudaMemcpy(deviceNumbers, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(deviceSum, 0, sizeof(int)));
    add<<<(n + kThreads - 1) / kThreads, kThreads>>>(deviceNumbers, n, deviceSum);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&sum, deviceSum, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(deviceNumbers));
    CHECK(cudaFree(deviceSum));
    std::printf("%d\n", sum);
}
