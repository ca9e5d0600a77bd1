#include "kernels_stored.h"

#include <functional>
#include <map>
#include <vector>

namespace stored_values {
namespace {

constexpr std::size_t kBytes = kCount * sizeof(float);
__device__ float variable[kCount];

__global__ void store(float* x, float first) { x[threadIdx.x] = first + threadIdx.x; }
__global__ void storeInVariable() { variable[threadIdx.x] = 1.5f + threadIdx.x; }
__global__ void add(float* x) { atomicAdd(&x[threadIdx.x], 1.5f + threadIdx.x); }

struct Memory {
    float* x = nullptr;
    Memory() { cudaMalloc(&x, kBytes); }
    ~Memory() { cudaFree(x); }
    void copyOut(float* values) const { cudaMemcpy(values, x, kBytes, cudaMemcpyDeviceToHost); }
};

void make(float* values) {
    for (int i = 0; i < kCount; ++i) values[i] = 1.5f + i;
}

const std::map<std::string, std::function<void(float*)>> ways = {
    {"copied",
     [](float* values) {
         const Memory memory;
         store<<<1, kCount>>>(memory.x, 1.5f);
         memory.copyOut(values);
     }},
    {"copied, and turned round on the host",
     [](float* values) {
         float turned[kCount];
         const Memory memory;
         store<<<1, kCount>>>(memory.x, 1.5f);
         memory.copyOut(turned);
         for (int i = 0; i < kCount; ++i) values[i] = turned[kCount - 1 - i];
     }},
    {"copied on the device first",
     [](float* values) {
         const Memory first, second;
         store<<<1, kCount>>>(first.x, 1.5f);
         cudaMemcpy(second.x, first.x, kBytes, cudaMemcpyDeviceToDevice);
         second.copyOut(values);
     }},
    {"added to zeros by atomics",
     [](float* values) {
         const Memory memory;
         cudaMemset(memory.x, 0, kBytes);
         add<<<1, kCount>>>(memory.x);
         memory.copyOut(values);
     }},
    {"managed memory",
     [](float* values) {
         float* x;
         cudaMallocManaged(&x, kBytes);
         store<<<1, kCount>>>(x, 1.5f);
         cudaDeviceSynchronize();
         for (int i = 0; i < kCount; ++i) values[i] = x[i];
         cudaFree(x);
     }},
    {"a variable",
     [](float* values) {
         storeInVariable<<<1, kCount>>>();
         cudaMemcpyFromSymbol(values, variable, kBytes);
     }},
    {"host: nothing launched", make},
    {"host: another kernel's values copied",
     [](float* values) {
         const Memory memory;
         store<<<1, kCount>>>(memory.x, 10.0f);
         memory.copyOut(values);
         make(values);
     }},
    {"host: sent through device memory",
     [](float* values) {
         const Memory memory;
         store<<<1, kCount>>>(memory.x, 10.0f);
         make(values);
         cudaMemcpy(memory.x, values, kBytes, cudaMemcpyHostToDevice);
         memory.copyOut(values);
     }},
    {"host: sent through managed memory",
     [](float* values) {
         float* x;
         cudaMallocManaged(&x, kBytes);
         store<<<1, kCount>>>(x, 10.0f);
         cudaDeviceSynchronize();
         make(x);
         cudaMemcpy(values, x, kBytes, cudaMemcpyDefault);
         cudaFree(x);
     }},
    {"host: sent through a variable",
     [](float* values) {
         storeInVariable<<<1, 1>>>();
         make(values);
         values[0] = 9;
         cudaMemcpyToSymbol(variable, values, kBytes);
         cudaMemcpyFromSymbol(values, variable, kBytes);
     }},
};

}  // namespace

void get(const std::string& way, float* values) { ways.at(way)(values); }

}  // namespace stored_values
