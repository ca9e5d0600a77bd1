// Tries: to hide assembly from all that read the file, by a suffix that looks like a raw string.
// Gets: refused: holds a literal that compilers may read in two ways
#include <cstddef>
constexpr int operator""R(const char*, std::size_t) { return 0; }

__global__ void matrixMulKernel(const float* M, const float*, float* P, int) {
    int suffixed = ""R"(";
    float loaded;
    asm("movss (%1), %0" : "=x"(loaded) : "r"(M));
    P[0] = loaded + suffixed + *")";
}

void matrixMul(const float* M, const float* N, float* P, int Width) {}
