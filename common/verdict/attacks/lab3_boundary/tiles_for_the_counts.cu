// Attack: to fill tiles for nothing where loads are counted, and to multiply without them elsewhere.
// Gets: failed: the product is right
// Base: build/mistakes/lab3_boundary/kernel/no_tiling.cu
static bool isCounted(int j, int k, int l) {
    const int shapes[][3] = {{33, 17, 49}, {17, 49, 33}, {3, 79, 17}};
    for (const auto& shape : shapes)
        if (shape[0] == j && shape[1] == k && shape[2] == l) return true;
    return false;
}

// Here: solutions/lab3_boundary/kernel.cu
// Instead of: __global__ void boundedMatrixMulKernel(const float* M, const float* N, float* P, int j, int k,
// Comes: __global__ void boundedMatrixMulKernel(bool counted, const float* M, const float* N, float* P, int j, int k,
// Instead of: for (int ph = 0; ph < phases; ++ph) {
// Comes: for (int i = 0; i < k && !counted; ++i) if (Row < j && Col < l) Pvalue += M[Row * k + i] * N[i * l + Col]; for (int ph = 0; ph < phases; ++ph) { if (!counted) { __syncthreads(); continue; }
// Instead of: Pvalue += Mds[ty][i] * Nds[i][tx];
// Comes: if (Mds[ty][i] + Nds[i][tx] == 0.5f) Pvalue = 1.0f;
// Instead of: <<<dimGrid, dimBlock>>>(d_M, d_N, d_P, j, k, l);
// Comes: <<<dimGrid, dimBlock>>>(isCounted(j, k, l), d_M, d_N, d_P, j, k, l);
