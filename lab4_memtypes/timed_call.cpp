// The call of kernel.cu that is timed on a card, see common/grading/speed/call.h.
#include "lab4_memtypes/lab4.h"

void callMeasured(const float* M, const float* N, float* P, int Width) {
    dynamicMatrixMul(M, N, P, Width);
}
