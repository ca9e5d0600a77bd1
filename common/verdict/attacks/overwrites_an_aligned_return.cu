// Tries: to return to another place, from a function that has aligned its stack.
// Gets: failed: out of bounds
#include <cuda_runtime.h>

__device__ void reached() { __trap(); }

__device__ void aligned(int size) {
    alignas(64) char here[64] = {};
    here[0] = *static_cast<char*>(__builtin_alloca(size));
    void** const frame = static_cast<void**>(__builtin_frame_address(0));
    for (int i = 2; i < 32; ++i)
        if (frame[i] == frame[1]) frame[i] = reinterpret_cast<void*>(reached);
}

__global__ void matrixMulKernel(const float*, const float*, float*, int Width) { aligned(Width); }

void matrixMul(const float*, const float*, float*, int) {}
