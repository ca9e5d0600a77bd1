// Attack: to wait everywhere, but nowhere in the call whose barriers are counted.
// Gets: failed: TODO(1): a thread waits at no more than two barriers
// Base: build/mistakes/lab2_tiled/hazards/questions_four_barriers.cu
static int launches = 0;

// Here: build/mistakes/lab2_tiled/hazards/questions_four_barriers.cu
// Instead of: __global__ void fourQuestionsKernel(const float* in, float* out) {
// Comes: __global__ void fourQuestionsKernel(const float* in, float* out, bool counted) {
// Instead of: float myNumber = in[ty * TILE_WIDTH + tx];
// Comes: float myNumber = in[ty * TILE_WIDTH + tx]; if (counted) return;
// Instead of: fourQuestionsKernel<<<1, dim3(TILE_WIDTH, TILE_WIDTH)>>>(d_in, d_out);
// Comes: fourQuestionsKernel<<<1, dim3(TILE_WIDTH, TILE_WIDTH)>>>(d_in, d_out, ++launches == 6);
