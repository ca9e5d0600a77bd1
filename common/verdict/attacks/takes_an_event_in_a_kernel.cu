// Tries: to load without being counted, by a function of the tests that has a type of CUDA's in its name.
// Gets: refused: belongs to
#include <cuda_runtime.h>

namespace testing {
struct ByteReader {
    const char* data;
    unsigned long size;
};
}  // namespace testing
namespace host {
template <class T>
T take(testing::ByteReader&);
}  // namespace host
extern template cudaEvent_t host::take<cudaEvent_t>(testing::ByteReader&);

__global__ void matrixMulKernel(const float* M, const float*, float* P, int Width) {
    testing::ByteReader reader{reinterpret_cast<const char*>(&M[Width * Width + 1000]), 8};
    P[threadIdx.x] = host::take<cudaEvent_t>(reader) ? 1.0f : 0.0f;
}

void matrixMul(const float*, const float*, float*, int) {}
