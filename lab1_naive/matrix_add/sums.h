// Shared by the tests of the matrix addition: operands, a launch with device memory of its own, so
// that the kernel is judged before the host side, and the judgement.
#pragma once

#include <cuda_runtime.h>

#include <sstream>
#include <string>

#include "lab1_naive/grid.h"
#include "lab1_naive/matrix_add/matrix_add.h"
#include "matrix/compare.h"
#include "testing/lab.h"
#include "testing/role.h"

namespace sums {

using matrix::Matrix;

struct Shape {
    int rows, cols;
};

struct Operands {
    Matrix A, B;
    int rows() const { return A.rows(); }
    int cols() const { return A.cols(); }
};

// Returns A and B, which differ from each other and from their transposes.
inline Operands operands(Shape shape, matrix::Pattern pattern = matrix::Pattern::SmallIntegers) {
    const auto draw = [&](std::uint64_t seed) {
        return lab::build({"", shape.rows, shape.cols, 1, pattern, seed}).M;
    };
    return {draw(1), draw(2)};
}

inline std::string times(unsigned x, unsigned y) { return lab::filled("{} x {}", x, y); }

// Returns the content of C before the addition.
inline Matrix poisonedSum(const Operands& in) { return matrix::poisoned(in.rows(), in.cols()); }

// Launches only the kernel, with the smallest grid that covers C; returns C. Elements that the
// kernel does not write are poison.
inline Matrix launchKernel(const Operands& in, dim3 block) {
    Matrix C = poisonedSum(in);
    int rows = in.rows(), cols = in.cols();
    const std::size_t bytes = C.size() * sizeof(float);
    float *d_A = nullptr, *d_B = nullptr, *d_C = nullptr;
    cudaMalloc(&d_A, bytes);
    cudaMalloc(&d_B, bytes);
    cudaMalloc(&d_C, bytes);
    cudaMemcpy(d_A, in.A.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_B, in.B.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_C, C.data(), bytes, cudaMemcpyHostToDevice);
    void* arguments[] = {&d_A, &d_B, &d_C, &rows, &cols};
    cudaLaunchKernel(matrixAddKernel, gridFor(rows, cols, block), block, arguments, 0, nullptr);
    cudaGetLastError();
    cudaMemcpy(C.data(), d_C, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_A);
    cudaFree(d_B);
    cudaFree(d_C);
    return C;
}

// Does so in a call of its own, as lab::run does.
inline Matrix runKernel(const lab::Text& about, const Operands& in, dim3 block) {
    Matrix C = poisonedSum(in);
    lab::run(about, lab::gives(C), [&] { C = launchKernel(in, block); });
    return C;
}

// Returns a shape as messages show it: "rows x cols = 5 x 17".
inline std::string text(Shape shape) {
    return lab::filled("rows x cols = {} x {}", shape.rows, shape.cols);
}

// Fails the test, with an explanation, unless C is A + B. A sum of two floats is rounded once on
// any device, so fractions must also be exact.
inline void expectSum(const lab::Text& about, const Matrix& C, const Operands& in) {
    if (!testing::judges()) return;
    if (C == poisonedSum(in)) lab::fail("never-written", about, "no element of C is written yet.");
    const Matrix poison = matrix::poisoned(1, 1);
    std::ostringstream examples;
    examples.precision(9);
    std::size_t wrong = 0, unwritten = 0;
    for (int r = 0; r < in.rows(); ++r)
        for (int c = 0; c < in.cols(); ++c) {
            const float got = C(r, c), wanted = in.A(r, c) + in.B(r, c);
            // Fails for NaN, too, unlike got != wanted.
            if (got == wanted) continue;
            const bool never = Matrix(1, 1, got) == poison;
            if (never) ++unwritten;
            if (++wrong > 3) continue;
            examples << "\n  row " << r << ", column " << c << ": got ";
            if (never)
                examples << "nothing";
            else
                examples << got;
            examples << ", expected " << wanted;
        }
    if (wrong == 0) return lab::expectFromKernels(about, "the sum is right", C);
    lab::fail(unwritten == 0 ? "wrong-sum" : "partly-written", about,
              "the sum is wrong for {}\n{} of {} differ; the first:{}",
              text(Shape{in.rows(), in.cols()}), wrong, lab::count(C.size(), "element"),
              examples.str());
}

}  // namespace sums
