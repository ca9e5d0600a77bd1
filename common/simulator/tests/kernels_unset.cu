#include "kernels_unset.h"

#include <vector>

#include "launch_table.h"
#include "on_device.h"
#include "simulator/simulator.h"

namespace unset {
namespace {

constexpr int kBlocks = 3, kThreads = 64;

__device__ int variable[kThreads];

__global__ void neverStored(int* y, bool store) {
    __shared__ int s[kThreads];
    if (store) s[threadIdx.x] = 1;
    y[threadIdx.x] = s[threadIdx.x];  // never-stored
}

// Loads a tile whose elements beyond the matrix get no zero, unless `zero`.
__global__ void partOfTile(const float* x, float* y, int width, bool zero) {
    __shared__ float tile[8][8];
    const int tx = threadIdx.x, ty = threadIdx.y;
    if (tx < width && ty < width)
        tile[ty][tx] = x[ty * width + tx];
    else if (zero)
        tile[ty][tx] = 0.0f;
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 8; ++k) sum += tile[ty][k];  // part-of-tile
    y[ty * 8 + tx] = sum;
}

__global__ void addToUnset(int* y, bool store) {
    __shared__ int s[kThreads];
    if (store) s[threadIdx.x] = 0;
    s[threadIdx.x] += 1;  // add-to-unset
    y[threadIdx.x] = s[threadIdx.x];
}

__global__ void storedByOther(int* y, int stored) {
    __shared__ int s[kThreads];
    if (threadIdx.x == 0)
        for (int i = 0; i < stored; ++i) s[i] = i;
    __syncthreads();
    y[threadIdx.x] = s[threadIdx.x];  // stored-by-other
}

__global__ void secondBlock(int* y, bool all) {
    __shared__ int s[kThreads];
    if (blockIdx.x != 1 || all) s[threadIdx.x] = 1;
    y[blockIdx.x * kThreads + threadIdx.x] = s[threadIdx.x];  // second-block
}

__global__ void atomicOnUnset(int* y, bool zero) {
    __shared__ int total;
    if (zero && threadIdx.x == 0) total = 0;
    __syncthreads();
    atomicAdd(&total, 1);  // atomic-on-unset
    __syncthreads();
    y[blockIdx.x * kThreads + threadIdx.x] = total;
}

__global__ void bytes(char* y, int stored) {
    __shared__ char s[8];
    if (threadIdx.x < unsigned(stored)) s[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 9) y[0] = s[7];                                // unset-byte
    if (threadIdx.x == 7) y[1] = *reinterpret_cast<int*>(s + 4) > 0;  // unset-word
}

__global__ void wide(double* y, int stored) {
    __shared__ double s[kThreads];
    if (threadIdx.x < unsigned(stored)) s[threadIdx.x] = 1;
    y[threadIdx.x] = s[threadIdx.x];  // unset-double
}

__global__ void dynamic(int* y, int stored) {
    extern __shared__ int s[];
    if (threadIdx.x < unsigned(stored)) s[threadIdx.x] = 1;
    y[threadIdx.x] = s[threadIdx.x];  // unset-dynamic
}

__global__ void firstStores(int* y) {
    __shared__ int s[32];
    if (blockIdx.x == 0) s[threadIdx.x] = 1;
    y[blockIdx.x * 32 + threadIdx.x] = s[threadIdx.x];
}

__global__ void store(int* y, int stored) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i < stored) y[i] = i;
}

__global__ void read(const int* x, int* y) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    y[i] = x[i];  // device-read
}

__global__ void count(int* x) {
    atomicAdd(x, 1);  // device-count
}

__global__ void readVariable(int* y) { y[threadIdx.x] = variable[threadIdx.x]; }

__global__ void racing(int* y) {
    __shared__ int s[kThreads];
    s[threadIdx.x] = 1;                    // racing-store
    y[threadIdx.x] = s[63 - threadIdx.x];  // racing-read
}

// One array races, the other one does not.
__global__ void racingAndUnset(int* y) {
    __shared__ int raced[kThreads], never[kThreads];
    raced[threadIdx.x / 2] = 1;                                    // raced
    y[threadIdx.x] = raced[threadIdx.x / 2] + never[threadIdx.x];  // never
}

constexpr int kElements = kBlocks * kThreads;

struct Two {
    int *d_x, *d_y;
    Two() {
        cudaMalloc(&d_x, kElements * sizeof(int));
        cudaMalloc(&d_y, kElements * sizeof(int));
    }
    ~Two() {
        cudaFree(d_x);
        cudaFree(d_y);
    }
    void readX() const { read<<<kBlocks, kThreads>>>(d_x, d_y); }
};

template <class Kernel, class... Arguments>
void onY(Kernel kernel, int blocks, Arguments... arguments) {
    const Two on;
    kernel<<<blocks, kThreads>>>(on.d_y, arguments...);
}

template <class T>
void onArray(void (*kernel)(T*, int), int stored, std::size_t dynamicBytes = 0) {
    const OnDevice<T> y(kThreads);
    kernel<<<1, kThreads, dynamicBytes>>>(y, stored);
}

void tile(int width, bool zero) {
    const OnDevice<float> x(std::vector<float>(64, 1.0f)), y(64);
    partOfTile<<<1, dim3(8, 8)>>>(x, y, width, zero);
}

void fill(int elements) {
    const Two on;
    const std::vector<int> values(elements);
    cudaMemcpy(on.d_x, values.data(), elements * sizeof(int), cudaMemcpyHostToDevice);
    on.readX();
}
void set(int elements) {
    const Two on;
    cudaMemset(on.d_x, 0, elements * sizeof(int));
    on.readX();
}
void byKernel(int stored) {
    const Two on;
    store<<<kBlocks, kThreads>>>(on.d_x, stored);
    on.readX();
}
// Copies in both directions; the marks must travel with the copy.
void byCopy(int stored, int copied) {
    const Two on, from;
    cudaMemset(on.d_x, 0, kElements * sizeof(int));
    store<<<kBlocks, kThreads>>>(from.d_x, stored);
    cudaMemcpy(on.d_x, from.d_x, copied * sizeof(int), cudaMemcpyDeviceToDevice);
    on.readX();
}
void counter(bool zero) {
    const Two on;
    if (zero) cudaMemset(on.d_x, 0, sizeof(int));
    count<<<kBlocks, kThreads>>>(on.d_x);
}
void ofHost(bool managed) {
    const Two on;
    int* x;
    if (managed)
        cudaMallocManaged(&x, kElements * sizeof(int));
    else
        cudaMallocHost(&x, kElements * sizeof(int));
    read<<<kBlocks, kThreads>>>(x, on.d_y);
    managed ? cudaFree(x) : cudaFreeHost(x);
}

const LaunchTable& table() {
    static const std::size_t dynamicBytes = kThreads * sizeof(int);
    static const LaunchTable all{
        {"never stored", [] { onY(neverStored, 1, false); }},
        {"ok stored", [] { onY(neverStored, 1, true); }},
        {"part of a tile", [] { tile(5, false); }},
        {"ok zeros in a tile", [] { tile(5, true); }},
        {"ok whole tile", [] { tile(8, false); }},
        {"add to unset", [] { onY(addToUnset, 1, false); }},
        {"ok add", [] { onY(addToUnset, 1, true); }},
        {"one not stored by another", [] { onY(storedByOther, 1, kThreads - 1); }},
        {"ok stored by another", [] { onY(storedByOther, 1, kThreads); }},
        {"second block", [] { onY(secondBlock, kBlocks, false); }},
        {"ok all blocks", [] { onY(secondBlock, kBlocks, true); }},
        {"atomic on unset", [] { onY(atomicOnUnset, kBlocks, false); }},
        {"ok atomic", [] { onY(atomicOnUnset, kBlocks, true); }},
        {"byte", [] { onArray<char>(bytes, 7); }},
        {"ok byte", [] { onArray<char>(bytes, 8); }},
        {"double", [] { onArray<double>(wide, 60); }},
        {"ok double", [] { onArray<double>(wide, 64); }},
        {"dynamic", [] { onArray<int>(dynamic, 60, dynamicBytes); }},
        {"ok dynamic", [] { onArray<int>(dynamic, 64, dynamicBytes); }},
        {"device memory never filled", [] { Two().readX(); }},
        {"device memory partly filled", [] { fill(100); }},
        {"ok device memory filled", [] { fill(kElements); }},
        {"device memory partly set", [] { set(191); }},
        {"ok device memory set", [] { set(kElements); }},
        {"device memory partly stored", [] { byKernel(150); }},
        {"ok device memory stored", [] { byKernel(kElements); }},
        {"device memory copied from unset", [] { byCopy(150, kElements); }},
        {"ok device memory copied where set", [] { byCopy(150, 150); }},
        {"counter", [] { counter(false); }},
        {"ok counter", [] { counter(true); }},
        {"ok managed", [] { ofHost(true); }},
        {"ok pinned", [] { ofHost(false); }},
        {"ok variable", [] { onY(readVariable, 1); }},
        {"racing", [] { onY(racing, 1); }},
        {"racing and unset", [] { onY(racingAndUnset, 1); }},
    };
    return all;
}

}  // namespace

std::vector<std::string> names() { return namesOf(table()); }
void launch(const std::string& name) { table().at(name)(); }

void copyOutput(int stored, std::size_t bytes) {
    int* d_out;
    cudaMalloc(&d_out, 12 * sizeof(int));
    store<<<1, 12>>>(d_out, stored);
    std::vector<int> host(12);
    cudaMemcpy(host.data(), d_out, bytes, cudaMemcpyDeviceToHost);  // copy-out
    cudaFree(d_out);
}

void copyOutputOfCopy(int stored) {
    int *d_out, *d_copy;
    cudaMalloc(&d_out, 12 * sizeof(int));
    cudaMalloc(&d_copy, 12 * sizeof(int));
    store<<<1, 12>>>(d_out, stored);
    cudaMemcpy(d_copy, d_out, 12 * sizeof(int), cudaMemcpyDeviceToDevice);
    std::vector<int> host(12);
    cudaMemcpy(host.data(), d_copy, 12 * sizeof(int), cudaMemcpyDeviceToHost);  // copy-of-copy
    cudaFree(d_out);
    cudaFree(d_copy);
}

unsigned long long blocksOfWhichTheFirstStores(int blocks) {
    const OnDevice<int> y(blocks * 32);
    firstStores<<<blocks, 32>>>(y);
    unsigned long long count = 0;
    for (const cusim::Finding& finding : cusim::findings()) count += finding.count;
    return count;
}

namespace {

__device__ int sumOfMany(int n) {
    int many[600];
    for (int i = 0; i < 600; ++i) many[i] = n + i;
    return many[n % 600];
}
__global__ void fillsStacks(int* y) { *y = sumOfMany(threadIdx.x); }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
__global__ void readsUnsetLocals(int* y) {
    int large[1000], alone, small[4];
    int differ = alone != 0x7FE5C0DE;
    for (int i = 0; i < 1000; ++i) differ += large[i] != 0x7FE5C0DE;
    for (int i = 0; i < 4; ++i) differ += small[i] != 0x7FE5C0DE;
    for (int i = 0; i < 1000; ++i) large[i] = alone = i;
    atomicAdd(y, differ);
}
#pragma GCC diagnostic pop

}  // namespace

int localWordsThatDiffer(int blocks) {
    const OnDevice<int> scratch(1), y(zeros(1));
    for (int launch = 0; launch < 3; ++launch) {
        fillsStacks<<<blocks, 32>>>(scratch);
        readsUnsetLocals<<<blocks, 32>>>(y);
    }
    return y.host()[0];
}

}  // namespace unset
