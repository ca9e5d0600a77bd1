// Counts how often each of the digits 0 to 3 occurs.
#include <cstdio>

__global__ void histogram(const int* digit, int* result) {
    __shared__ int count[4];
    int t = threadIdx.x;
    if (t < 4) count[t] = 0;
    __syncthreads();
    count[digit[t]] += 1;
    __syncthreads();
    if (t < 4) result[t] = count[t];
}

int main() {
    int *digit, *result;
    cudaMallocManaged(&digit, 8 * sizeof(int));
    cudaMallocManaged(&result, 4 * sizeof(int));
    for (int i = 0; i < 8; ++i) digit[i] = i * i % 4;
    histogram<<<1, 8>>>(digit, result);
    if (cudaGetLastError() || cudaDeviceSynchronize()) return 1;
    for (int i = 0; i < 4; ++i) printf("%d ", result[i]);
    printf("\n");
    cudaFree(digit);
    cudaFree(result);
}
