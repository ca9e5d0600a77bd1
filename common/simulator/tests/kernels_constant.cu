#include "kernels_constant.h"

#include "on_device.h"

namespace constants {
namespace {

__constant__ double table[64];
__constant__ float scale;
__constant__ float weights[32];

__global__ void groupsKernel(double* y, int group) { y[threadIdx.x] = table[threadIdx.x / group]; }

__global__ void oneOfEachKernel(const float* x, float* y) {
    float value = scale;
    value += weights[threadIdx.x];
    value += x[threadIdx.x];
    y[threadIdx.x] = value;
}

}  // namespace

void readInGroups(int threads, int group) {
    const OnDevice<double> y(threads);
    groupsKernel<<<1, threads>>>(y, group);
}

void readOneOfEach() {
    const OnDevice<float> x{std::vector<float>(32)}, y(32);
    oneOfEachKernel<<<1, 32>>>(x, y);
}

}  // namespace constants
