// Finding: none
// A branch as well, but a block takes it as a whole.

__global__ void fault(const int* in, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x < 2) {
        __syncthreads();
    }
    __syncthreads();
    out[i] = in[i];
}

void launch(const int* in, int* out) { fault<<<4, 16>>>(in, out); }
