// Tries: to have the destructor of a kernel's variable run after the tests.
// Gets: refused: kernel code calls __cxa_thread_atexit
#include <cuda_runtime.h>

struct Late {
    __host__ __device__ ~Late() { *reinterpret_cast<volatile int*>(64) = 1; }
};

__host__ __device__ inline Late& late() {
    thread_local Late of_a_thread;
    return of_a_thread;
}

__global__ void matrixMulKernel(const float*, const float*, float* P, int) {
    if (reinterpret_cast<float*>(&late()) == P) return;
}

void matrixMul(const float*, const float*, float*, int) {}
