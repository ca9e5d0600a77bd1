#include "lab4_memtypes/lab4.h"

#include "grading/performance/call.h"

void callMeasured(const float* M, const float* N, float* P, int Width) {
    dynamicMatrixMul(M, N, P, Width);
}
