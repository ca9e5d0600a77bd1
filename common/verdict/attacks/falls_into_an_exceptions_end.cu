// Tries: to return what ends no exception, where one would end: it names a function to call.
// Gets: failed: an address outside of all memory
#include <cuda_runtime.h>

struct Made {
    __device__ ~Made() {}
};
__device__ void reached() { __trap(); }

__device__ void** made;
__device__ void** returns() { return made; }

typedef void (*Stops)() __attribute__((noreturn));

__device__ void falls() {
    Made here;
    const volatile auto stops = reinterpret_cast<Stops>(returns);
    stops();
}

__global__ void matrixMulKernel(const float*, const float*, float* P, int) {
    if (threadIdx.x + threadIdx.y > 0) return;
    made = reinterpret_cast<void**>(P);
    made[2] = reinterpret_cast<void*>(reached);
    falls();
}

void matrixMul(const float*, const float*, float*, int) {}
