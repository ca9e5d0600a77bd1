#include "kernels_launch.h"

#include "on_device.h"

extern __shared__ int outside[];

namespace {
// Far from the kernels that use it, so that launches need its name.
namespace far {
template <class T>
__global__ void kernelOfNamespace(T* y, T value) {
    y[2] = value;
}
}  // namespace far

__device__ int counter;
__device__ int initial[] = {10, 20, 30};
__constant__ int factors[4];
static __device__ int first, second = 5;
__managed__ int shared = 3;
}  // namespace

namespace launching {
namespace {

__global__ void receive(float* y, float a, char b) {
    y[0] = a;
    y[1] = b;
}

__global__ void nothing(int) {}

struct Inner {
    int c;
};
struct Settings {
    int a, b;
    Inner inner;
};

__global__ void changeCopy(int* y, Settings s) {
    s.a += threadIdx.x;
    s.inner.c *= 10;
    __syncthreads();
    y[threadIdx.x] = s.a * 100 + s.inner.c;
}

struct Shape {
    __device__ virtual int corners() const { return 0; }
};
struct Square : Shape {
    __device__ int corners() const override { return 4; }
};

__global__ void callVirtual(int* y) {
    const Square square;
    const Shape& shape = square;
    *y = shape.corners();
}

__global__ void storeOne(int* y) { *y = 1; }
__global__ void storeTwo(int* y) { *y = 2; }

using Kernel = void (*)(int*);
Kernel pick(int i) { return i == 0 ? storeOne : storeTwo; }

__global__ void overloaded(int* y) { y[0] = 1; }
__global__ void overloaded(float* y) { y[1] = 2; }

template <int N, class T>
__global__ void explicitAndDeduced(T* y) {
    y[3] = 40 + N;
}

__global__ void reverse(int* y) {
    extern __shared__ int s[];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    y[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

__global__ void reverseOutside(int* y) {
    outside[threadIdx.x] = threadIdx.x;
    __syncthreads();
    y[threadIdx.x] = reinterpret_cast<const int*>(outside)[blockDim.x - 1 - threadIdx.x];
}

__global__ void transpose(int* y) {
    extern __shared__ int s[][4];
    s[threadIdx.y][threadIdx.x] = threadIdx.y * 4 + threadIdx.x;
    __syncthreads();
    y[threadIdx.y * 4 + threadIdx.x] = s[threadIdx.x][threadIdx.y];
}

__global__ void carve(float* y, int n) {
    extern __shared__ __align__(8) unsigned char raw[];
    double* d = reinterpret_cast<double*>(raw);
    float* f = reinterpret_cast<float*>(d + n);
    int* i = (int*)(f + n);
    const int t = threadIdx.x;
    d[t] = 0.5 * t;
    f[t] = 0.25f * t;
    i[t] = 10 * t;
    __syncthreads();
    const int o = n - 1 - t;
    y[t] = static_cast<float>(d[o]) + f[o] + i[o];
}

__global__ void mark(unsigned* seen) {
    const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    atomicAdd(&seen[block * (blockDim.x * blockDim.y * blockDim.z) + thread], 1u);
}

__global__ void leaveInShared(int* y) {
    __shared__ int s[2];
    y[blockIdx.x * 2] = s[0];
    y[blockIdx.x * 2 + 1] = s[1];
    s[0] = s[1] = 7;
}

__global__ void increment() { ++counter; }
__global__ void readInitial(int* y) { *y = initial[1]; }
__global__ void multiply(int* y) {
    for (int i = 0; i < 4; ++i) y[i] = factors[i] * 2 + first + second;
}

__global__ void doubleAll(int* values) { values[threadIdx.x] *= 2; }
__global__ void addToManaged() { shared += 4; }

int evaluated = 0;
int evaluate() { return ++evaluated; }

}  // namespace

std::vector<float> convertedArguments() {
    const OnDevice<float> y(2);
    receive<<<1, 1>>>(y, 7, static_cast<char>(65));
    return y.host();
}

int evaluations() {
    evaluated = 0;
    nothing<<<2, 32>>>(evaluate());
    return evaluated;
}

std::vector<int> structByValue() {
    const OnDevice<int> y(8);
    const Settings settings{1, 2, {3}};
    changeCopy<<<1, 8>>>(y, settings);
    return y.host();
}

std::vector<int> throughPointers() {
    const OnDevice<int> y(1), z(1);
    const Kernel table[] = {storeOne, storeTwo};
    table[0]<<<1, 1>>>(y);
    pick(1)<<<1, 1>>>(z);
    return {y.host()[0], z.host()[0]};
}

std::vector<int> throughCudaLaunchKernel() {
    const OnDevice<float> y(2);
    float* pointer = y;
    float a = 1.5f;
    char b = 9;
    void* arguments[] = {&pointer, &a, &b};
    cudaLaunchKernel(receive, dim3(1), dim3(1), arguments, 0, nullptr);
    return {static_cast<int>(y.host()[0] * 10), static_cast<int>(y.host()[1])};
}

std::vector<int> templatesAndOverloads() {
    const OnDevice<int> y(zeros(4));
    int* const ints = y;
    overloaded<<<1, 1>>>(ints);
    const OnDevice<float> z(std::vector<float>(2, 0.0f));
    float* const floats = z;
    overloaded<<<1, 1>>>(floats);
    far::kernelOfNamespace<<<1, 1>>>(ints, 3);
    explicitAndDeduced<16><<<1, 1>>>(ints);
    std::vector<int> out = y.host();
    out[1] = static_cast<int>(z.host()[1]);
    return out;
}

int virtualCall() {
    const OnDevice<int> y(1);
    callVirtual<<<1, 1>>>(y);
    return y.host()[0];
}

std::vector<int> dynamicShared(int n) {
    const OnDevice<int> y(n);
    reverse<<<1, n, n * sizeof(int)>>>(y);
    return y.host();
}
std::vector<int> dynamicSharedOutside(int n) {
    const OnDevice<int> y(n);
    reverseOutside<<<1, n, n * sizeof(int)>>>(y);
    return y.host();
}
std::vector<int> dynamicSharedRows() {
    const OnDevice<int> y(16);
    transpose<<<1, dim3(4, 4), 16 * sizeof(int)>>>(y);
    return y.host();
}
std::vector<float> carvedArrays() {
    const OnDevice<float> y(4);
    carve<<<1, 4, 4 * (sizeof(double) + sizeof(float) + sizeof(int))>>>(y, 4);
    return y.host();
}

std::vector<unsigned> geometry() {
    const OnDevice<unsigned> seen(std::vector<unsigned>(2 * 3 * 4 * 4 * 2 * 3, 0u));
    mark<<<dim3(2, 3, 4), dim3(4, 2, 3)>>>(seen);
    return seen.host();
}

std::vector<int> unsetShared() {
    const OnDevice<int> y(4);
    leaveInShared<<<2, 1>>>(y);
    return y.host();
}

int countUp() {
    increment<<<1, 1>>>();
    int value = 0;
    cudaMemcpyFromSymbol(&value, counter, sizeof value);
    return value;
}

int initialValue() {
    const OnDevice<int> y(1);
    readInitial<<<1, 1>>>(y);
    return y.host()[0];
}

std::vector<int> symbols() {
    const int all[] = {1, 2, 3, 4}, last = 9, one = 100;
    cudaMemcpyToSymbol(factors, all, sizeof all);
    cudaMemcpyToSymbol(factors, &last, sizeof last, 3 * sizeof(int));
    cudaMemcpyToSymbol(first, &one, sizeof one);
    const OnDevice<int> y(4);
    multiply<<<1, 1>>>(y);
    std::vector<int> out = y.host();
    int third = 0;
    cudaMemcpyFromSymbol(&third, factors, sizeof third, 2 * sizeof(int));
    out.push_back(third);
    std::size_t bytes = 0;
    cudaGetSymbolSize(&bytes, factors);
    out.push_back(static_cast<int>(bytes));
    void* address = nullptr;
    cudaGetSymbolAddress(&address, factors);
    cudaMemcpy(&third, address, sizeof third, cudaMemcpyDeviceToHost);
    out.push_back(third);
    return out;
}

std::vector<int> managed() {
    int* values = nullptr;
    cudaMallocManaged(&values, 4 * sizeof(int));
    for (int i = 0; i < 4; ++i) values[i] = i + 1;
    doubleAll<<<1, 4>>>(values);
    cudaDeviceSynchronize();
    const std::vector<int> out(values, values + 4);
    cudaFree(values);
    return out;
}

std::vector<int> managedVariable() {
    shared = 3;
    addToManaged<<<1, 1>>>();
    cudaDeviceSynchronize();
    return {shared};
}

std::vector<int> pinned() {
    int* values = nullptr;
    cudaMallocHost(&values, 4 * sizeof(int));
    for (int i = 0; i < 4; ++i) values[i] = i + 1;
    const OnDevice<int> copy(4);
    cudaMemcpy(copy, values, 4 * sizeof(int), cudaMemcpyHostToDevice);
    doubleAll<<<1, 4>>>(values);
    cudaMemcpy(values + 2, copy, 2 * sizeof(int), cudaMemcpyDeviceToHost);
    const std::vector<int> out(values, values + 4);
    cudaFreeHost(values);
    return out;
}

}  // namespace launching
