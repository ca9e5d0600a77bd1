// Tries: to run code that no hook hears, as a specialization of a template of the device's.
// Gets: refused: defines .*shuffle.*, of the simulated device
#include <cuda_runtime.h>

#include "inner.h"

struct Unseen {
    const float* from;
    float* to;
};

template <>
Unseen* INNER::shuffle<Unseen*>(unsigned, Unseen* job, unsigned, Where) {
    *job->to = *job->from;
    return job;
}

__global__ void matrixMulKernel(const float* M, const float*, float* P, int) {
    Unseen job{M, P};
    INNER::shuffle<Unseen*>(1, &job, 0, INNER::Where::here());
}

void matrixMul(const float*, const float*, float*, int) {}
