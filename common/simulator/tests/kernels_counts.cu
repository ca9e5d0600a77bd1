#include "kernels_counts.h"

#include "on_device.h"

namespace counts {
namespace {

__constant__ float filter[3];

__global__ void naiveKernel(const float* M, const float* N, float* P, int Width) {
    int Row = blockIdx.y * blockDim.y + threadIdx.y;
    int Col = blockIdx.x * blockDim.x + threadIdx.x;
    float Pvalue = 0.0f;
    for (int k = 0; k < Width; ++k) Pvalue += M[Row * Width + k] * N[k * Width + Col];
    P[Row * Width + Col] = Pvalue;
}

__global__ void tiledKernel(const float* M, const float* N, float* P, int Width) {
    __shared__ float Mds[kTile][kTile];
    __shared__ float Nds[kTile][kTile];
    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = blockIdx.y * kTile + ty, Col = blockIdx.x * kTile + tx;
    float Pvalue = 0.0f;
    for (int ph = 0; ph < Width / kTile; ++ph) {
        Mds[ty][tx] = M[Row * Width + ph * kTile + tx];
        Nds[ty][tx] = N[(ph * kTile + ty) * Width + Col];
        __syncthreads();
        for (int k = 0; k < kTile; ++k) Pvalue += Mds[ty][k] * Nds[k][tx];
        __syncthreads();
    }
    P[Row * Width + Col] = Pvalue;
}

__global__ void vectorCopyKernel(const float4* x, float4* y) { y[threadIdx.x] = x[threadIdx.x]; }

__global__ void addToItselfKernel(const float* x, float* y) {
    y[threadIdx.x] = x[threadIdx.x] + x[threadIdx.x];
}

__global__ void accumulateKernel(float* y, float v, int rounds) {
    for (int k = 0; k < rounds; ++k) y[threadIdx.x] += v;
}

__global__ void updateKernel(int* sum, int* most) {
    atomicAdd(sum, 1);
    atomicMax(most, static_cast<int>(threadIdx.x));
    atomicCAS(&most[1], 0, 1);
}

__global__ void localArrayKernel(int* y) {
    int last[4];
    for (int i = 0; i < 4; ++i) last[i] = i;
    y[threadIdx.x] = last[threadIdx.x % 4];
}

__device__ __noinline__ void fill(int* values) {
    for (int i = 0; i < 4; ++i) values[i] = i;
}

__global__ void escapingArrayKernel(int* y) {
    int last[4];
    fill(last);
    y[threadIdx.x] = last[threadIdx.x % 4];
}

__global__ void builtinsKernel(unsigned* y) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = gridDim.x + gridDim.y + blockDim.z + threadIdx.y + blockIdx.z + warpSize;
}

__global__ void constantFilterKernel(float* y) {
    y[threadIdx.x] = filter[0] + filter[1] + filter[2];
}

__global__ void sharedAtomicsKernel(int* y) {
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, 2);
    __syncthreads();
    if (threadIdx.x == 0) *y = sum;
}

struct Particle {
    float x, y, z;
};

__global__ void structCopyKernel(const Particle* from, Particle* to) {
    to[threadIdx.x] = from[threadIdx.x];
}

__global__ void firstOfManyKernel(const float* x, float* y) {
    y[threadIdx.x] = x[0] + (threadIdx.x > 0 ? x[threadIdx.x] : 0.0f);
}

void product(int Width, bool useTiles) {
    const std::vector<float> ones(Width * Width, 1.0f);
    const OnDevice<float> M(ones), N(ones), P(Width * Width);
    const dim3 grid(Width / kTile, Width / kTile), block(kTile, kTile);
    if (useTiles)
        tiledKernel<<<grid, block>>>(M, N, P, Width);
    else
        naiveKernel<<<grid, block>>>(M, N, P, Width);
}

__global__ void lastColumnDivergesKernel(int* y) {
    if (blockIdx.x < 7 || threadIdx.x % 2 == 0)
        y[threadIdx.x + 32 * (blockIdx.y * 8 + blockIdx.x)] = 1;
}

}  // namespace

void naive(int Width) { product(Width, false); }
void tiled(int Width) { product(Width, true); }

void vectorCopy(int n) {
    const OnDevice<float4> x{std::vector<float4>(n)}, y(n);
    vectorCopyKernel<<<1, n>>>(x, y);
}
void addToItself(int n) {
    const OnDevice<float> x{std::vector<float>(n)}, y(n);
    addToItselfKernel<<<1, n>>>(x, y);
}
void accumulate(int n, int rounds) {
    const OnDevice<float> y(std::vector<float>(n, 0.0f));
    accumulateKernel<<<1, n>>>(y, 1.0f, rounds);
}
void updateAtomically(int n) {
    const OnDevice<int> sum(zeros(1)), most(zeros(2));
    updateKernel<<<1, n>>>(sum, most);
}
void localArray(int n) {
    const OnDevice<int> y(n);
    localArrayKernel<<<1, n>>>(y);
}
void escapingArray(int n) {
    const OnDevice<int> y(n);
    escapingArrayKernel<<<1, n>>>(y);
}
void builtins(int n) {
    const OnDevice<unsigned> y(2 * n);
    builtinsKernel<<<2, n>>>(y);
}
void constantFilter(int n) {
    const float values[3] = {1, 2, 3};
    cudaMemcpyToSymbol(filter, values, sizeof values);
    const OnDevice<float> y(n);
    constantFilterKernel<<<1, n>>>(y);
}
void sharedAtomics(int n) {
    const OnDevice<int> y(1);
    sharedAtomicsKernel<<<1, n>>>(y);
}
void structCopy(int n) {
    const OnDevice<Particle> from{std::vector<Particle>(n)}, to(n);
    structCopyKernel<<<1, n>>>(from, to);
}
void lastColumnDiverges() {
    const OnDevice<int> y(32 * 64);
    lastColumnDivergesKernel<<<dim3(8, 8), 32>>>(y);
}
void firstOfMany(int n, const std::vector<float>& in, std::vector<float>& out) {
    const std::size_t bytes = n * sizeof(float);
    float *d_in, *d_out;
    cudaMalloc(&d_in, bytes);
    cudaMalloc((void**)&d_out, bytes);
    cudaMemcpy(d_in, in.data(), bytes, cudaMemcpyHostToDevice);
    firstOfManyKernel<<<1, n>>>(d_in, d_out);
    cudaMemcpy(out.data(), d_out, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
}

}  // namespace counts
