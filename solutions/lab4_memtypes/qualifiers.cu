// Lab 4: qualifiers. The place and the keyword of a declaration decide in which memory the variable
// is, which threads share it and how long it exists. Here each thread draws a number from a
// variable: it reads the variable and adds 1 to it. The first thread that uses a copy draws 0, so
// the number of zeros is the number of copies. The handout is qualifiers/README.md.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define DIGITS 10

// Ends the program where a call fails.
#define CHECK(call)                                                                        \
    do {                                                                                   \
        cudaError_t error = (call);                                                        \
        if (error != cudaSuccess) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(EXIT_FAILURE);                                                            \
        }                                                                                  \
    } while (0)

__device__ int GlobalVar;
__constant__ int ConstVar;

__global__ void localVarKernel(int* drawn) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int LocalVar;
    LocalVar = 0;
    __syncthreads();
    drawn[i] = LocalVar++;
}

// Counts how often each digit occurs in the thread's number, then how many different ones do.
// drawn: how many digits this copy of the array had counted before.
__global__ void localArrayKernel(int* drawn, int* different) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int LocalArray[DIGITS];
    for (int d = 0; d < DIGITS; ++d) LocalArray[d] = 0;
    __syncthreads();
    int before = 0;
    for (int d = 0; d < DIGITS; ++d) before += LocalArray[d];
    drawn[i] = before;
    for (int n = i + 1; n > 0; n /= 10) ++LocalArray[n % 10];
    int sum = 0;
    for (int d = 0; d < DIGITS; ++d) sum += LocalArray[d] > 0;
    different[i] = sum;
}

// A demonstration, for reading only: the same count, but once the loops over d are unrolled, each
// index is a constant. Then the array needs no memory: its elements are registers.
__global__ void registerArrayKernel(int* different) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int LocalArray[DIGITS];
    for (int d = 0; d < DIGITS; ++d) LocalArray[d] = 0;
    for (int n = i + 1; n > 0; n /= 10) {
        for (int d = 0; d < DIGITS; ++d) LocalArray[d] += n % 10 == d;
    }
    int sum = 0;
    for (int d = 0; d < DIGITS; ++d) sum += LocalArray[d] > 0;
    different[i] = sum;
}

__global__ void sharedVarKernel(int* drawn) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ int SharedVar;
    if (threadIdx.x == 0) SharedVar = 0;
    __syncthreads();
    drawn[i] = atomicAdd(&SharedVar, 1);
}

__global__ void globalVarKernel(int* drawn) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    drawn[i] = atomicAdd(&GlobalVar, 1);
}

// One thread.
__global__ void pointerKernel(int number) {
    int* ptr = &GlobalVar;
    *ptr += number;
}

__global__ void constVarKernel(int* seen) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    seen[i] = ConstVar;
}

// A demonstration that stays wrong: it reads a shared variable that is uninitialized.
__global__ void staleKernel(int* seen) {
    __shared__ int left;
    seen[threadIdx.x] = left;
}

// A demonstration that stays wrong: ptr is the address of ConstVar, a constant.
__global__ void storeKernel(int* ptr, int value) { *ptr = value; }

// --- The host side. ---

int readGlobalVar() {
    int value = -1;
    CHECK(cudaMemcpyFromSymbol(&value, GlobalVar, sizeof value));
    return value;
}

void setConstVar(int value) { CHECK(cudaMemcpyToSymbol(ConstVar, &value, sizeof value)); }

// From here on it is complete.

static int* deviceNumbers(const int* host, size_t elements) {
    int* device;
    CHECK(cudaMalloc(&device, elements * sizeof(int)));
    CHECK(cudaMemcpy(device, host, elements * sizeof(int), cudaMemcpyHostToDevice));
    return device;
}

static void toHost(int* host, int* device, size_t elements) {
    CHECK(cudaMemcpy(host, device, elements * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(device));
}

// drawn, different and seen have an element for each of blocks x threads threads.
void drawFromLocalVar(int* drawn, int blocks, int threads) {
    size_t elements = static_cast<size_t>(blocks) * threads;
    int* d_drawn = deviceNumbers(drawn, elements);
    localVarKernel<<<blocks, threads>>>(d_drawn);
    CHECK(cudaGetLastError());
    toHost(drawn, d_drawn, elements);
}

void drawFromLocalArray(int* drawn, int* different, int blocks, int threads) {
    size_t elements = static_cast<size_t>(blocks) * threads;
    int* d_drawn = deviceNumbers(drawn, elements);
    int* d_different = deviceNumbers(different, elements);
    localArrayKernel<<<blocks, threads>>>(d_drawn, d_different);
    CHECK(cudaGetLastError());
    toHost(drawn, d_drawn, elements);
    toHost(different, d_different, elements);
}

void countInRegisters(int* different, int blocks, int threads) {
    size_t elements = static_cast<size_t>(blocks) * threads;
    int* d_different = deviceNumbers(different, elements);
    registerArrayKernel<<<blocks, threads>>>(d_different);
    CHECK(cudaGetLastError());
    toHost(different, d_different, elements);
}

void drawFromSharedVar(int* drawn, int blocks, int threads) {
    size_t elements = static_cast<size_t>(blocks) * threads;
    int* d_drawn = deviceNumbers(drawn, elements);
    sharedVarKernel<<<blocks, threads>>>(d_drawn);
    CHECK(cudaGetLastError());
    toHost(drawn, d_drawn, elements);
}

void drawFromGlobalVar(int* drawn, int blocks, int threads) {
    size_t elements = static_cast<size_t>(blocks) * threads;
    int* d_drawn = deviceNumbers(drawn, elements);
    globalVarKernel<<<blocks, threads>>>(d_drawn);
    CHECK(cudaGetLastError());
    toHost(drawn, d_drawn, elements);
}

void addToGlobalVar(int number) {
    pointerKernel<<<1, 1>>>(number);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
}

void readConstVar(int* seen, int blocks, int threads) {
    size_t elements = static_cast<size_t>(blocks) * threads;
    int* d_seen = deviceNumbers(seen, elements);
    constVarKernel<<<blocks, threads>>>(d_seen);
    CHECK(cudaGetLastError());
    toHost(seen, d_seen, elements);
}

void readStaleVar(int* seen, int threads) {
    int* d_seen = deviceNumbers(seen, threads);
    staleKernel<<<1, threads>>>(d_seen);
    CHECK(cudaGetLastError());
    toHost(seen, d_seen, threads);
}

void storeToConstVar(int value) {
    void* address;
    CHECK(cudaGetSymbolAddress(&address, ConstVar));
    storeKernel<<<1, 1>>>(static_cast<int*>(address), value);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
}
