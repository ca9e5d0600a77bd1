// Attack: to compute the product on the host, behind a kernel that does nothing.
// Remark: multiplies elements on the host
#define matrixMul launchOnly
// Here: common/verdict/attacks/bases/idle_kernel.cu
#undef matrixMul

void matrixMul(const float* M, const float* N, float* P, int Width) {
    launchOnly(M, N, P, Width);
    for (int row = 0; row < Width; ++row)
        for (int col = 0; col < Width; ++col) {
            float sum = 0.0f;
            for (int k = 0; k < Width; ++k) sum += M[row * Width + k] * N[k * Width + col];
            P[row * Width + col] = sum;
        }
}
