// Finding: none
// One barrier a phase is enough here: the phases take turns with two tiles.

__global__ void fault(const int* in, int* out) {
    __shared__ int tile[2][16];
    int tx = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = 0;
    for (int ph = 0; ph < 4; ++ph) {
        tile[ph % 2][tx] = in[ph * 16 + tx];
        __syncthreads();
        sum += tile[ph % 2][15 - tx];
    }
    out[i] = sum;
}

void launch(const int* in, int* out) { fault<<<4, 16>>>(in, out); }
