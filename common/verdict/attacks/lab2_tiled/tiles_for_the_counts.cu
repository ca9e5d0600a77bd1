// Attack: to fill tiles for nothing where loads are counted, and to multiply without them elsewhere.
// Gets: failed: the product is right
// Base: common/verdict/attacks/bases/fills_tiles.cu
static int launches = 0;

// Here: solutions/lab2_tiled/kernel.cu
// Instead of: __global__ void tiledMatrixMulKernel(const float* M, const float* N, float* P, int Width) {
// Comes: __global__ void tiledMatrixMulKernel(const float* M, const float* N, float* P, int Width, bool counted) {
// Instead of: for (int ph = 0; ph < Width / TILE_WIDTH; ++ph) {
// Comes: for (int i = 0; i < Width && !counted; ++i) Pvalue += M[Row * Width + i] * N[i * Width + Col]; for (int ph = 0; ph < Width / TILE_WIDTH && counted; ++ph) {
// Instead of: Pvalue += Mds[ty][k] * Nds[k][tx];
// Comes: if (Mds[ty][k] + Nds[k][tx] == 0.5f) Pvalue = 1.0f;
// Instead of: <<<dimGrid, dimBlock>>>(d_M, d_N, d_P, Width);
// Comes: <<<dimGrid, dimBlock>>>(d_M, d_N, d_P, Width, ++launches <= 17);
