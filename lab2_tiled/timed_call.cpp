// The call of kernel.cu that is timed on a card, see common/grading/speed/call.h.
#include "lab2_tiled/lab2.h"

void callMeasured(const float* M, const float* N, float* P, int Width) {
    tiledMatrixMul(M, N, P, Width);
}
