// Shared by the tests of the matrix addition: operands, a launch with device memory of its own, so
// that the kernel is judged before the host side, and the judgement.
#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <sstream>
#include <string>
#include <utility>

#include "lab1_naive/grid.h"
#include "lab1_naive/matrix_add/matrix_add.h"
#include "matrix/compare.h"
#include "testing/device.h"
#include "testing/lab.h"
#include "testing/role.h"
#ifdef CUDA_SIMULATED_DEVICE
#include "testing/lab_sim.h"
#endif

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
    Operands in{draw(1), draw(2)};
    device::describeMatrix(nullptr, shape.rows, shape.cols);
    return in;
}

inline std::string times(unsigned x, unsigned y) { return lab::filled("{} x {}", x, y); }

// Returns the content of C before the addition.
inline Matrix poisonedSum(const Operands& in) { return matrix::poisoned(in.rows(), in.cols()); }

// Launches only the kernel; returns C. Elements that the kernel does not write are poison.
inline Matrix launchKernel(const Operands& in, dim3 block, dim3 grid) {
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
    cudaLaunchKernel(matrixAddKernel, grid, block, arguments, 0, nullptr);
    cudaGetLastError();
    cudaMemcpy(C.data(), d_C, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_A);
    cudaFree(d_B);
    cudaFree(d_C);
    return C;
}

// Does so with the smallest grid that covers C.
inline Matrix launchKernel(const Operands& in, dim3 block) {
    return launchKernel(in, block, gridFor(in.rows(), in.cols(), block));
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

// Tests whether C is A + B; true if nothing is judged.
inline bool isSum(const Matrix& C, const Operands& in) {
    for (std::size_t i = 0; testing::judges() && i < C.size(); ++i)
        if (!(C.data()[i] == in.A.data()[i] + in.B.data()[i])) return false;
    return true;
}

// Returns which sum, or which other operation, gives this result; empty if nothing fits.
inline std::string looksOf(const Matrix& C, const Operands& in) {
    if (C.size() < 4) return "";
    const auto rows = static_cast<std::size_t>(in.rows()),
               cols = static_cast<std::size_t>(in.cols());
    // Tests whether each element is operation(A, B) of the elements at these places.
    const auto fits = [&](const auto& operation, const auto& ofA, const auto& ofB) {
        for (std::size_t i = 0; i < rows * cols; ++i) {
            const std::size_t a = ofA(i / cols, i % cols), b = ofB(i / cols, i % cols);
            if (a >= C.size() || b >= C.size() ||
                !(C.data()[i] == operation(in.A.data()[a], in.B.data()[b])))
                return false;
        }
        return true;
    };
    using Operation = float (*)(float, float);
    const auto own = [=](std::size_t r, std::size_t c) { return r * cols + c; };
    const std::pair<const char*, Operation> operations[] = {
        {"A + A", [](float a, float) { return a + a; }},
        {"B + B", [](float, float b) { return b + b; }},
        {"A - B", [](float a, float b) { return a - b; }},
        {"B - A", [](float a, float b) { return b - a; }},
        {"A * B", [](float a, float b) { return a * b; }},
        {"A alone", [](float a, float) { return a; }},
        {"B alone", [](float, float b) { return b; }},
        {"0", [](float, float) { return 0.0F; }},
        {"-(A + B)", [](float a, float b) { return -(a + b); }}};
    for (const auto& [name, operation] : operations)
        if (fits(operation, own, own)) return lab::filled("\nEach element of C is {}.", name);
    const Operation sum = [](float a, float b) { return a + b; };
    const std::pair<const char*, std::function<std::size_t(std::size_t, std::size_t)>> indices[] = {
        {"[Row * cols + Col]", own},
        {"[Row * cols + Row]", [=](std::size_t r, std::size_t) { return r * cols + r; }},
        {"[Col * cols + Col]", [=](std::size_t, std::size_t c) { return c * cols + c; }},
        {"[Col * cols + Row]", [=](std::size_t r, std::size_t c) { return c * cols + r; }},
        {"[Row * rows + Col]", [=](std::size_t r, std::size_t c) { return r * rows + c; }},
        {"[Row + cols + Col]", [=](std::size_t r, std::size_t c) { return r + cols + c; }},
        {"[Row + Col]", [](std::size_t r, std::size_t c) { return r + c; }},
        {"[Row * cols]", [=](std::size_t r, std::size_t) { return r * cols; }},
        {"[Col]", [](std::size_t, std::size_t c) { return c; }},
        {"[Row]", [](std::size_t r, std::size_t) { return r; }}};
    for (const auto& [nameOfA, ofA] : indices)
        for (const auto& [nameOfB, ofB] : indices)
            if (fits(sum, ofA, ofB))
                return lab::filled("\nIt is what A{} + B{} gives.", nameOfA, nameOfB);
    for (std::size_t n = 0; n < rows * cols; ++n) {
        const auto same = [=](std::size_t, std::size_t) { return n; };
        for (const bool ofA : {true, false})
            if (ofA ? fits(sum, same, own) : fits(sum, own, same))
                return lab::filled(
                    "\nEvery thread adds {}[{}]: its index must depend on Row and Col.",
                    ofA ? 'A' : 'B', n);
    }
    return "";
}

#ifdef CUDA_SIMULATED_DEVICE
// Returns why C has not changed, from the simulator's counts.
inline std::string whyUnwritten() {
    if (cusim::launches().empty()) return "no kernel is launched.";
    const std::uint64_t stores = cusim::launches().front().global().stores;
    if (stores == 0) return "the kernel stores nothing: no element of C is written.";
    if (lab::bytesCopiedBack()) return "no element of C is written yet.";
    return "the kernel has stored " + lab::count(stores, "element") +
           ", but no copy brings\nthem back: C of the host is unchanged.";
}

// Returns a line on a copy back that is too short.
inline std::string copyTooShort(const Operands& in) {
    const std::size_t copied = lab::bytesCopiedBack().value_or(0);
    const std::size_t all = in.A.size() * sizeof(float);
    return copied == 0 || copied >= all ? ""
                                        : lab::filled("\nThe copy back takes {} of the {} of C.",
                                                      copied, lab::count(all, "byte"));
}

// Returns a line if the kernel's arrays are filled from one operand, and the other one is left out,
// or if the kernel reads C, or if matrixAdd launches without an operand.
inline std::string wrongArrays(const std::string& about, const Matrix& C, const Operands& in) {
    if (cusim::launches().empty()) return "";
    const auto& launch = cusim::launches().front();
    for (const auto& array : launch.arrays)
        if (array.copiedFrom == C.data() && array.count.loads > 0)
            return array.count.stores == 0 ? "\n" + array.name + " is filled from C."
                                           : "\nThe kernel reads C. Store the sum with =: += adds "
                                             "it to the old value of C.";
    for (const bool ofA : {true, false}) {
        const Matrix& one = ofA ? in.A : in.B;
        if (about == "matrixAdd" && lab::isCopiedIn(one) && !launch.filledFrom(one.data()))
            return lab::filled(
                "\n{} is copied to the device, and the kernel loads none of it: does "
                "the launch pass it?",
                ofA ? 'A' : 'B');
    }
    for (const bool ofA : {true, false}) {
        std::string names;
        bool twice = false, other = false;
        for (const auto& array : launch.arrays) {
            other |= array.copiedFrom == (ofA ? in.B : in.A).data();
            if (array.copiedFrom != (ofA ? in.A : in.B).data()) continue;
            twice |= !names.empty();
            names += (names.empty() ? "" : " and ") + array.name;
        }
        if (twice && !other)
            return "\n" + names + " are both filled from " + (ofA ? "A" : "B") + ", none from " +
                   (ofA ? "B." : "A.");
    }
    return "";
}
#else
inline std::string whyUnwritten() { return "no element of C is written yet."; }
inline std::string copyTooShort(const Operands&) { return ""; }
inline std::string wrongArrays(const std::string&, const Matrix&, const Operands&) { return ""; }
#endif

// Fails the test, with an explanation, unless C is A + B. A sum of two floats is rounded once on
// any device, so fractions must also be exact.
inline void expectSum(const lab::Text& about, const Matrix& C, const Operands& in) {
    if (!testing::judges()) return;
    if (C == poisonedSum(in)) lab::fail("never-written", about, "{}", whyUnwritten());
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
              "the sum is wrong for {}\n{} of {} differ; the first:{}{}{}{}",
              text(Shape{in.rows(), in.cols()}), wrong, lab::count(C.size(), "element"),
              examples.str(), looksOf(C, in), unwritten == 0 ? "" : copyTooShort(in),
              wrongArrays(about, C, in));
}

}  // namespace sums
