// Finding: barrier-divergence
// Every thread arrives, but half of them at another call.

__global__ void fault(const int* in, int* out) {
    int tx = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (tx < 8) {
        __syncthreads();  // FAULT
    } else {
        __syncthreads();  // FAULT
    }
    out[i] = in[i];
}

void launch(const int* in, int* out) { fault<<<4, 16>>>(in, out); }
