// Adds numbers. Each block adds two of them; the block that is done last adds the blocks' sums.
#include <cstdio>

__device__ int partial[4];
__device__ int done;

__global__ void total(const int* in, int* out) {
    int b = blockIdx.x;
    partial[b] = in[2 * b] + in[2 * b + 1];
    if (atomicAdd(&done, 1) == 3) {
        int sum = 0;
        for (int i = 0; i < 4; ++i) sum += partial[i];
        *out = sum;
    }
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, 8 * sizeof(int));
    cudaMallocManaged(&out, sizeof(int));
    for (int i = 0; i < 8; ++i) in[i] = i + 1;
    total<<<4, 1>>>(in, out);
    if (cudaGetLastError() || cudaDeviceSynchronize()) return 1;
    printf("%d\n", *out);
    cudaFree(in);
    cudaFree(out);
}
