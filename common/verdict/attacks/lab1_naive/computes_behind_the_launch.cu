// Attack: to compute the product on the host, after a kernel that does nothing.
// Remark: multiplies elements on the host
#define matrixMul launchOnly
// Here: common/verdict/attacks/bases/idle_kernel.cu
#undef matrixMul
#include "on_the_host.h"

void matrixMul(const float* M, const float* N, float* P, int Width) {
    launchOnly(M, N, P, Width);
    multiplyOnTheHost(M, N, P, Width);
}
