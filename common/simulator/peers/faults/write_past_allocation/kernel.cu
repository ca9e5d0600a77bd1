// Finding: out-of-bounds
// The last thread writes one element past the end.

__global__ void fault(const int* in, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i + 1] = in[i];  // FAULT
}

void launch(const int* in, int* out) { fault<<<4, 16>>>(in, out); }
