// Attack: to wait before each product, but nowhere in the call whose barriers are counted.
// Gets: failed: each phase has at most two barriers
static int launches = 0;

// Here: build/mistakes/lab2_tiled/kernel/barrier_in_inner_loop.cu
// Instead of: __global__ void tiledMatrixMulKernel(const float* M, const float* N, float* P, int Width) {
// Comes: __global__ void tiledMatrixMulKernel(const float* M, const float* N, float* P, int Width, bool counted) {
// Instead of: float Pvalue = 0.0f;
// Comes: float Pvalue = 0.0f; if (counted) return;
// Instead of: <<<dimGrid, dimBlock>>>(d_M, d_N, d_P, Width);
// Comes: <<<dimGrid, dimBlock>>>(d_M, d_N, d_P, Width, ++launches == 17);
