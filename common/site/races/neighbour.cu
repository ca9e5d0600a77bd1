// Each thread subtracts the number of its left neighbour from its own.
#include <cstdio>

__global__ void differences(const int* in, int* out) {
    __shared__ int number[8];
    int t = threadIdx.x;
    number[t] = in[t];
    int left = t > 0 ? number[t - 1] : 0;
    out[t] = number[t] - left;
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, 8 * sizeof(int));
    cudaMallocManaged(&out, 8 * sizeof(int));
    for (int i = 0; i < 8; ++i) in[i] = i * i;
    differences<<<1, 8>>>(in, out);
    if (cudaGetLastError() || cudaDeviceSynchronize()) return 1;
    for (int i = 0; i < 8; ++i) printf("%d ", out[i]);
    printf("\n");
    cudaFree(in);
    cudaFree(out);
}
