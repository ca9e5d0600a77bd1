// The call of kernel.cu that is timed on a card, see common/grading/speed/call.h.
#include "lab3_boundary/lab3.h"

void callMeasured(const float* M, const float* N, float* P, int Width) {
    boundedMatrixMul(M, N, P, Width, Width, Width);
}
