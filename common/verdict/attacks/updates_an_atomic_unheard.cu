// Tries: to store without being counted, by the inner function of an atomic's class.
// Gets: refused: calls what belongs to the simulated device
#include <cuda/atomic>
#include <cuda_runtime.h>

struct Unheard : cuda::atomic_ref<unsigned> {
    using cuda::atomic_ref<unsigned>::atomic_ref;
    __device__ unsigned exchanged(unsigned value) {
        return update(value, [](unsigned, unsigned other) { return other; });
    }
};

__global__ void matrixMulKernel(const float*, const float*, float* P, int Width) {
    Unheard(reinterpret_cast<unsigned&>(P[Width * Width + 1000])).exchanged(1);
}

void matrixMul(const float*, const float*, float*, int) {}
