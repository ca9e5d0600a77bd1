#include "lab3_boundary/lab3.h"

#include "grading/performance/call.h"

void callMeasured(const float* M, const float* N, float* P, int Width) {
    boundedMatrixMul(M, N, P, Width, Width, Width);
}
