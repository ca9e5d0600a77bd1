#include "bench/reference.h"

namespace bench {

namespace {

constexpr int kSmall = 1100;  // up to this size every element is compared
constexpr int kPatch = 8;     // width of the smallest tile that one thread computes
constexpr unsigned long long kNone = ~0ull;

// Returns the compared element's index in a patch, which differs from patch to patch. The edge may
// cut a patch off.
__device__ int within(int patchIndex, int other, int patch, int length) {
    const unsigned hash = (patchIndex * 2654435761u ^ other * 40503u) >> 7;
    return min(patchIndex * patch + static_cast<int>(hash % patch), length - 1);
}

__device__ int sampleRow(int y, int patch, int j) { return within(y, 0, patch, j); }
__device__ int sampleCol(int x, int y, int patch, int l) { return within(x, y, patch, l); }

// Computes inner products and their bounds, which hold for any order of summation, with or without
// fused multiply-add: (k + 1) u / (1 - (k + 1) u) times the sum of the products' magnitudes
// (Higham; see errorBound in matrix/compare.h).
__global__ void innerProducts(const float* M, const float* N, Size size, int patch, int patchRows,
                              int patchCols, double* value, double* bound) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= patchCols) return;
    for (int y = blockIdx.y; y < patchRows; y += gridDim.y) {
        const float* m = M + static_cast<size_t>(sampleRow(y, patch, size.j)) * size.k;
        const float* n = N + sampleCol(x, y, patch, size.l);
        double sum = 0, magnitude = 0;
        for (int i = 0; i < size.k; ++i, n += size.l) {
            const double product = static_cast<double>(m[i]) * *n;
            sum += product;
            magnitude += fabs(product);
        }
        const double rounding = (size.k + 1) * 0x1p-24;
        const size_t at = static_cast<size_t>(y) * patchCols + x;
        value[at] = sum;
        bound[at] = rounding / (1 - rounding) * magnitude;
    }
}

__global__ void findFirst(const float* P, Size size, int patch, int patchRows, int patchCols,
                          const double* value, const double* bound, unsigned long long* first) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= patchCols) return;
    for (int y = blockIdx.y; y < patchRows; y += gridDim.y) {
        const size_t at = static_cast<size_t>(y) * patchCols + x;
        const unsigned long long element =
            static_cast<unsigned long long>(sampleRow(y, patch, size.j)) * size.l +
            sampleCol(x, y, patch, size.l);
        // Negated, so that NaN does not pass.
        if (!(fabs(P[element] - value[at]) <= bound[at])) atomicMin(first, element);
    }
}

int patches(int length, int patch) { return (length + patch - 1) / patch; }

dim3 gridFor(int rows, int cols) { return dim3((cols + 127) / 128, rows < 65535 ? rows : 65535); }

}  // namespace

Reference::Reference(const float* M, const float* N, Size size)
    : size_(size),
      patch_(size.j <= kSmall && size.l <= kSmall ? 1 : kPatch),
      patchRows_(patches(size.j, patch_)),
      patchCols_(patches(size.l, patch_)),
      value_(deviceArray<double>(static_cast<size_t>(patchRows_) * patchCols_)),
      bound_(deviceArray<double>(static_cast<size_t>(patchRows_) * patchCols_)),
      first_(deviceArray<unsigned long long>(1)) {
    innerProducts<<<gridFor(patchRows_, patchCols_), 128>>>(M, N, size, patch_, patchRows_,
                                                            patchCols_, value_.get(), bound_.get());
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
}

std::string Reference::compare(const float* P) const {
    unsigned long long first = kNone;
    CUDA_CHECK(cudaMemcpy(first_.get(), &first, sizeof first, cudaMemcpyHostToDevice));
    findFirst<<<gridFor(patchRows_, patchCols_), 128>>>(P, size_, patch_, patchRows_, patchCols_,
                                                        value_.get(), bound_.get(), first_.get());
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(&first, first_.get(), sizeof first, cudaMemcpyDeviceToHost));
    if (first == kNone) return "";
    float got = 0;
    CUDA_CHECK(cudaMemcpy(&got, P + first, sizeof got, cudaMemcpyDeviceToHost));
    return "P[" + std::to_string(first / size_.l) + "][" + std::to_string(first % size_.l) +
           "] is " + std::to_string(got) + ", out of bounds of a sum in float32";
}

}  // namespace bench
