// Tries: to store beyond a built-in variable, where the simulator has its own.
// Gets: failed: out of bounds
#include <cuda_runtime.h>

struct Long {
    char bytes[256];
};

__global__ void matrixMulKernel(const float*, const float*, float*, int) {
    *reinterpret_cast<Long*>(const_cast<dim3*>(&blockDim)) = Long{};
}

void matrixMul(const float*, const float*, float*, int) {}
