// Tries: to copy so many bytes that an array seems to end before it begins.
// Gets: failed: the kernel reads
#include <cuda_runtime.h>

__global__ void matrixMulKernel(const float*, const float*, float*, int) {
    char own[256] = {};
    // Begins with the end, which lies below.
    memmove(own + 64, own, static_cast<std::size_t>(-4096));
}

void matrixMul(const float*, const float*, float*, int) {}
