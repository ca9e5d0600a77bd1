#pragma once

#include <functional>
#include <optional>
#include <string>

#include "harness/product_set.h"
#include "matrix/compare.h"
#include "matrix/matrix.h"
#include "matrix/reference.h"

namespace harness {

using Multiply =
    std::function<void(const matrix::Matrix& M, const matrix::Matrix& N, matrix::Matrix& P)>;

// One run of a kernel on one set, with the verdict.
struct JudgedRun {
    bool ok = false;
    bool returned = false;          // false if the code ended early: P then says nothing
    std::string verdict;            // "ok", or a few words such as "transposed" or "out-of-bounds"
    std::string explanation;        // lines, each with its newline; empty if ok
    matrix::Comparison comparison;  // of P with the reference
    matrix::Matrix P;               // j x l; elements that the code has not written are poison
    double seconds = 0.0;           // host time of the whole call
    std::optional<double> kernelMicroseconds;  // measured on a card
};

// Runs multiply on copies of the set's matrices through device::run, and judges how it ended, the
// device's findings, P, and whether M and N are unchanged.
JudgedRun judge(const Multiply& multiply, const ProductSet& set,
                const matrix::Reference& reference);

}  // namespace harness
