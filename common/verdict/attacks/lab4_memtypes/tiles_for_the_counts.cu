// Attack: to fill tiles for nothing where loads are counted, and to multiply without them elsewhere.
// Gets: failed: the product is right
// Base: common/verdict/attacks/bases/multiplies_without_tiles.cu
static int launches = 0;
static bool isCounted() {
    ++launches;
    return (launches > 10 && launches <= 20) || (launches >= 62 && launches <= 65);
}

// Here: solutions/lab4_memtypes/kernel.cu
// Instead of: __global__ void dynamicMatrixMulKernel(const float* M, const float* N, float* P, int Width) {
// Comes: __global__ void dynamicMatrixMulKernel(const float* M, const float* N, float* P, int Width, bool counted) {
// Instead of: for (int ph = 0; ph < (Width - 1) / tileWidth + 1; ++ph) {
// Comes: for (int i = 0; i < ROWS && !counted; ++i) for (int k = 0; k < Width; ++k) if (blockIdx.y * tileWidth + firstRow + i < Width && Col < Width) Pvalue[i] += M[(blockIdx.y * tileWidth + firstRow + i) * Width + k] * N[k * Width + Col]; for (int ph = 0; ph < (Width - 1) / tileWidth + 1 && counted; ++ph) {
// Instead of: Pvalue[i] += Mds[r * tileWidth + k] * Nds[k * tileWidth + tx];
// Comes: if (Mds[r * tileWidth + k] + Nds[k * tileWidth + tx] == 0.5f) Pvalue[i] = 1.0f;
// Instead of: <<<dimGrid, dimBlock, sharedBytes>>>(d_M, d_N, d_P, Width);
// Comes: <<<dimGrid, dimBlock, sharedBytes>>>(d_M, d_N, d_P, Width, isCounted());
