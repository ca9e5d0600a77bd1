// Finding: none
// The last element, and no more.

__global__ void fault(const int* in, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 63) out[i + 1] = in[i];
}

void launch(const int* in, int* out) { fault<<<4, 16>>>(in, out); }
