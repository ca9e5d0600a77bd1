// Attack: to fill tiles for nothing in the one test that counts loads, and to multiply without them.
// Gets: failed: the repaired draft makes
// Base: build/mistakes/lab2_tiled/hazards/draft_without_tiles.cu
static int launches = 0;

// Here: solutions/lab2_tiled/hazards.cu
// Instead of: __global__ void draftMatrixMulKernel(const float* M, const float* N, float* P, int Width) {
// Comes: __global__ void draftMatrixMulKernel(const float* M, const float* N, float* P, int Width, bool counted) {
// Instead of: for (int ph = 0; ph < Width / TILE_WIDTH; ++ph) {
// Comes: for (int i = 0; i < Width && !counted; ++i) Pvalue += M[Row * Width + i] * N[i * Width + Col]; for (int ph = 0; ph < Width / TILE_WIDTH && counted; ++ph) {
// Instead of: Pvalue += Mds[ty][k] * Nds[k][tx];
// Comes: if (Mds[ty][k] + Nds[k][tx] == 0.5f) Pvalue = 1.0f;
// Instead of: <<<dimGrid, dim3(TILE_WIDTH, TILE_WIDTH)>>>(d_M, d_N, d_P, Width);
// Comes: <<<dimGrid, dim3(TILE_WIDTH, TILE_WIDTH)>>>(d_M, d_N, d_P, Width, ++launches == 16);
