// Finding: out-of-bounds
// The last thread reads one element past the end.
// Differs: unset-read 7: Oclgrind goes on with a value of its own, and follows it

__global__ void fault(const int* in, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i + 1];  // FAULT
}

void launch(const int* in, int* out) { fault<<<4, 16>>>(in, out); }
