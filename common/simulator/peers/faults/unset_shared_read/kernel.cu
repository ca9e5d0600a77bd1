// Finding: unset-read
// Only half of the tile is stored before all of it is read.

__global__ void fault(const int* in, int* out) {
    __shared__ int tile[16];
    int tx = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (tx < 8) tile[tx] = in[i];
    __syncthreads();
    out[i] = tile[15 - tx];  // FAULT
}

void launch(const int* in, int* out) { fault<<<4, 16>>>(in, out); }
