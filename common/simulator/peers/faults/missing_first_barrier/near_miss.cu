// Finding: none
// No barrier either, but each thread reads only the element that it stored.

__global__ void fault(const int* in, int* out) {
    __shared__ int tile[16];
    int tx = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[tx] = in[i];
    out[i] = tile[tx];
}

void launch(const int* in, int* out) { fault<<<4, 16>>>(in, out); }
