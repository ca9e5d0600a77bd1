#include "lab1_naive/lab1.h"

#include "grading/performance/call.h"

void callMeasured(const float* M, const float* N, float* P, int Width) {
    matrixMul(M, N, P, Width);
}
