// Finding: none
// The same 16 elements, but added to atomically.

__global__ void fault(const int* in, int* out) {
    int tx = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&out[tx], in[i]);
}

void launch(const int* in, int* out) { fault<<<4, 16>>>(in, out); }
