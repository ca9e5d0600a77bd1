// Finding: none
// One thread stores into each element: the even ones.

__global__ void fault(const int* in, int* out) {
    __shared__ int tile[16];
    int tx = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[tx] = 0;
    __syncthreads();
    if (tx % 2 == 0) tile[tx / 2] = in[i] + tx;
    __syncthreads();
    out[i] = tile[tx];
}

void launch(const int* in, int* out) { fault<<<4, 16>>>(in, out); }
