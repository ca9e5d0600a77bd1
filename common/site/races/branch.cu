// Reverses the first n numbers.
#include <cstdio>

__global__ void reverse(int* a, int n) {
    __shared__ int copy[8];
    int t = threadIdx.x;
    if (t < n) {
        copy[t] = a[t];
        __syncthreads();
        a[t] = copy[n - 1 - t];
    }
}

int main() {
    int* a;
    cudaMallocManaged(&a, 8 * sizeof(int));
    for (int i = 0; i < 8; ++i) a[i] = i;
    reverse<<<1, 8>>>(a, 6);
    if (cudaGetLastError() || cudaDeviceSynchronize()) return 1;
    for (int i = 0; i < 8; ++i) printf("%d ", a[i]);
    printf("\n");
    cudaFree(a);
}
