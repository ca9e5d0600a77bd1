// Attack: to compute the sum on the host, after a kernel that stores zeros.
// Remark: no kernel has stored
#define matrixAdd launchOnly
// Here: common/verdict/attacks/bases/adds_nothing.cu
#undef matrixAdd

void matrixAdd(const float* A, const float* B, float* C, int rows, int cols) {
    launchOnly(A, B, C, rows, cols);
    for (int i = 0; i < rows * cols; ++i) C[i] = A[i] + B[i];
}
