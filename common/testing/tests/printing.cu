// A kernel that prints, for test_printed.cpp.
#include <cuda_runtime.h>

#include <cstdio>
#include <iostream>

__global__ void printingKernel() { printf("thread %u\n", threadIdx.x); }

void launchPrinting() {
    printingKernel<<<1, 1>>>();
    cudaGetLastError();
}

void printFromHost() {
    printf("host %d\n", 1);
    std::cout << "host 2\n";
}
