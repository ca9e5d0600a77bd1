// Finding: race
// Every block adds to the same 16 elements, and no barrier reaches across blocks.

__global__ void fault(const int* in, int* out) {
    int tx = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = out[tx];      // FAULT
    out[tx] = sum + in[i];  // FAULT
}

void launch(const int* in, int* out) { fault<<<4, 16>>>(in, out); }
