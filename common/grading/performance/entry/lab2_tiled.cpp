#include "lab2_tiled/lab2.h"

#include "grading/performance/call.h"

void callMeasured(const float* M, const float* N, float* P, int Width) {
    tiledMatrixMul(M, N, P, Width);
}
