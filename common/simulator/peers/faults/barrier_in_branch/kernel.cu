// Finding: barrier-divergence
// Half of the threads wait here while the others go on to the next barrier.
// Differs: barrier-divergence 11: Oclgrind lets the threads go on after its report

__global__ void fault(const int* in, int* out) {
    int tx = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (tx < 8) {
        __syncthreads();  // FAULT
    }
    __syncthreads();  // FAULT
    out[i] = in[i];
}

void launch(const int* in, int* out) { fault<<<4, 16>>>(in, out); }
