// Finding: none
// The last element, and no more.

__global__ void fault(const int* in, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = i < 63 ? in[i + 1] : 0;
}

void launch(const int* in, int* out) { fault<<<4, 16>>>(in, out); }
