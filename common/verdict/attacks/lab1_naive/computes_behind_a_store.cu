// Attack: to compute the product on the host, after a kernel that stores zeros.
// Remark: no kernel has stored
#define matrixMul launchOnly
// Here: common/verdict/attacks/bases/stores_zeros.cu
#undef matrixMul
#include "on_the_host.h"

void matrixMul(const float* M, const float* N, float* P, int Width) {
    launchOnly(M, N, P, Width);
    multiplyOnTheHost(M, N, P, Width);
}
