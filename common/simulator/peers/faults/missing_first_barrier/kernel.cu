// Finding: race
// Tiled multiplication: a thread reads elements that others may still be loading.
// Differs: unset-read 18: Oclgrind runs one thread up to its barrier, then the next

__global__ void fault(const int* in, int* out) {
    __shared__ int Mds[4][4], Nds[4][4];
    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = blockIdx.y * 4 + ty, Col = blockIdx.x * 4 + tx;
    int Pvalue = 0;
    for (int ph = 0; ph < 2; ++ph) {
        Mds[ty][tx] = in[Row * 8 + ph * 4 + tx];    // FAULT
        Nds[ty][tx] = in[(ph * 4 + ty) * 8 + Col];  // FAULT
        for (int k = 0; k < 4; ++k) {
            Pvalue += Mds[ty][k] * Nds[k][tx];  // FAULT
        }
        __syncthreads();
    }
    out[Row * 8 + Col] = Pvalue;
}

void launch(const int* in, int* out) { fault<<<dim3(2, 2), dim3(4, 4)>>>(in, out); }
