#include "kernels_limits.h"

#include "on_device.h"

namespace limits {
namespace {

__global__ void rowKernel(int* y, int column) {
    __shared__ int tile[4][4];
    tile[threadIdx.x][column] = 1;  // insideRow
    y[threadIdx.x] = tile[threadIdx.x][column];
}

__global__ void vectorKernel(float* x, int first) {
    *reinterpret_cast<float4*>(x + first) = make_float4(1, 2, 3, 4);  // offAlignment
}

__global__ void copyKernel(float* y, const float* x, int bytes) {
    memcpy(y, x, bytes);  // copyTooFar
}

__global__ void clearKernel(float* y, int bytes) {
    memset(y, 0, bytes);  // clearTooFar
}

__global__ void spinKernel(volatile int* flag) {
    while (*flag == 0) {  // spins
    }
}

__global__ void countKernel(int step) {
    for (int i = 0; i < 10; i += step) {  // counts
    }
}

__global__ void barrierKernel(int step) {
    for (int i = 0; i < 10; i += step) __syncthreads();  // passes
}

}  // namespace

void storeInRow(int column) {
    const OnDevice<int> y(4);
    rowKernel<<<1, 4>>>(y, column);
}
void storeVector(int firstElement) {
    const OnDevice<float> x(8);
    vectorKernel<<<1, 1>>>(x, firstElement);
}
void copyBytes(int bytes) {
    const OnDevice<float> x{std::vector<float>(16)}, y(16);
    copyKernel<<<1, 1>>>(y, x, bytes);
}
void clearBytes(int bytes) {
    const OnDevice<float> y(16);
    clearKernel<<<1, 1>>>(y, bytes);
}
void spinOnMemory(bool set) {
    const OnDevice<int> flag(std::vector<int>(1, set));
    spinKernel<<<2, 32>>>(flag);
}
void countInSteps(int step) { countKernel<<<2, 32>>>(step); }
void passBarriers(int step) { barrierKernel<<<2, 32>>>(step); }

}  // namespace limits
