// The call of kernel.cu that is timed on a card, see common/grading/speed/call.h.
#include "lab1_naive/lab1.h"

void callMeasured(const float* M, const float* N, float* P, int Width) {
    matrixMul(M, N, P, Width);
}
