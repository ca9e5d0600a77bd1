// Tries: to load without being counted, by a function of the C++ library.
// Gets: refused: kernel code calls std::.*, a function of the host; nvcc refuses that, too
#include "unseen.h"

__global__ void matrixMulKernel(const float* M, const float* N, float* P, int Width) {
    int Row = blockIdx.y * blockDim.y + threadIdx.y;
    int Col = blockIdx.x * blockDim.x + threadIdx.x;
    if (Row < Width && Col < Width) {
        float Pvalue = 0.0f;
        for (int k = 0; k < Width; ++k)
            Pvalue += unseen(&M[Row * Width + k]) * unseen(&N[k * Width + Col]);
        P[Row * Width + Col] = Pvalue;
    }
}

void matrixMul(const float*, const float*, float*, int) {}
