// Tries: to load without being counted, as the number that a group of threads keeps.
// Gets: failed: out of bounds
#include <cooperative_groups.h>

__global__ void matrixMulKernel(const float* M, const float*, float* P, int Width) {
    const auto* group =
        reinterpret_cast<const cooperative_groups::coalesced_group*>(&M[Width * Width + 1000]);
    P[threadIdx.x] = static_cast<float>(group->meta_group_rank());
}

void matrixMul(const float*, const float*, float*, int) {}
