// Finding: none
// Half of the blocks return before the barrier, each as a whole.

__global__ void fault(const int* in, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x >= 2) return;
    __syncthreads();
    out[i] = in[i];
}

void launch(const int* in, int* out) { fault<<<4, 16>>>(in, out); }
