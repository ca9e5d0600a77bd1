// Tries: to tell the device of a store that it does not make.
// Gets: refused: calls what belongs to the simulated device
#include <cuda_runtime.h>

#include "inner.h"

__global__ void matrixMulKernel(const float*, const float*, float* P, int) {
    INNER::atomicAccess(P, sizeof *P, P);
}

void matrixMul(const float*, const float*, float*, int) {}
