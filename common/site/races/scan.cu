// Computes running sums: sum[t] becomes in[0] + ... + in[t].
#include <cstdio>

__global__ void runningSums(const int* in, int* out) {
    __shared__ int sum[8];
    int t = threadIdx.x;
    sum[t] = in[t];
    for (int step = 1; step < 8; step *= 2) {
        __syncthreads();
        int before = t >= step ? sum[t - step] : 0;
        sum[t] += before;
    }
    out[t] = sum[t];
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, 8 * sizeof(int));
    cudaMallocManaged(&out, 8 * sizeof(int));
    for (int i = 0; i < 8; ++i) in[i] = i + 1;
    runningSums<<<1, 8>>>(in, out);
    if (cudaGetLastError() || cudaDeviceSynchronize()) return 1;
    for (int i = 0; i < 8; ++i) printf("%d ", out[i]);
    printf("\n");
    cudaFree(in);
    cudaFree(out);
}
