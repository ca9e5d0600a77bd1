// Tries: to give the thread other variables, so that no hook finds the device.
// Gets: refused: wrfsbase changes
#include <cuda_runtime.h>

__attribute__((target("fsgsbase"))) __global__ void matrixMulKernel(const float*, const float*,
                                                                    float* P, int) {
    __builtin_ia32_wrfsbase64(reinterpret_cast<unsigned long long>(P));
}

void matrixMul(const float*, const float*, float*, int) {}
