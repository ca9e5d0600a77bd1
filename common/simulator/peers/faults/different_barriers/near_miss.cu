// Finding: none
// Two calls as well, but all threads of a block arrive at the same one.

__global__ void fault(const int* in, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x < 2) {
        __syncthreads();
    } else {
        __syncthreads();
    }
    out[i] = in[i];
}

void launch(const int* in, int* out) { fault<<<4, 16>>>(in, out); }
