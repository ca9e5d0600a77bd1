// Finding: barrier-divergence
// Half of the threads return before the barrier.

__global__ void fault(const int* in, int* out) {
    int tx = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (tx >= 8) return;  // LEADS OVER IT
    __syncthreads();  // FAULT
    out[i] = in[i];
}

void launch(const int* in, int* out) { fault<<<4, 16>>>(in, out); }
