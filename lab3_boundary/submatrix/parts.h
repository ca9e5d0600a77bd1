// Parts of larger matrices, with guards around them.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "lab3_boundary/shape.h"
#include "lab3_boundary/submatrix/submatrix.h"
#include "matrix/compare.h"
#include "testing/lab.h"
#include "testing/role.h"
#ifdef CUDA_SIMULATED_DEVICE
#include "testing/lab_sim.h"
#endif

inline void multiplySquare(const float* M, const float* N, float* P, int n) {
    subMatrixMul(M, n, N, n, P, n, n, n, n);
}

enum class Stored { ByRows, ByColumns };

// A matrix in memory with a leading dimension. NaNs lie before it, behind it, and between its rows
// or columns, so that a kernel that reads one computes no number.
class MatrixPart {
  public:
    // `extra` is the difference between the leading dimension and the length of a row or column.
    MatrixPart(const matrix::Matrix& values, int extra, Stored stored)
        : rows_(values.rows()), cols_(values.cols()), stored_(stored) {
        const bool byRows = stored == Stored::ByRows;
        ld_ = (byRows ? cols_ : rows_) + extra;
        memory_.assign(kAround + product(ld_, byRows ? rows_ : cols_) + kAround,
                       std::numeric_limits<float>::quiet_NaN());
        for (int row = 0; row < rows_; ++row)
            for (int col = 0; col < cols_; ++col)
                std::memcpy(
                    &memory_[place(row, col)],
                    &values.data()[static_cast<std::size_t>(row) * static_cast<std::size_t>(cols_) +
                                   static_cast<std::size_t>(col)],
                    sizeof(float));
    }

    float* first() { return &memory_[kAround]; }
    // Returns the part with the NaNs around it.
    std::vector<float>& memory() { return memory_; }
    int ld() const { return ld_; }

    matrix::Matrix values() const {
        matrix::Matrix result(rows_, cols_);
        for (int row = 0; row < rows_; ++row)
            for (int col = 0; col < cols_; ++col)
                std::memcpy(&result(row, col), &memory_[place(row, col)], sizeof(float));
        return result;
    }

    // Returns whether all elements outside of the part are still NaN.
    bool surroundingsKept() const {
        std::vector<bool> own(memory_.size());
        for (int row = 0; row < rows_; ++row)
            for (int col = 0; col < cols_; ++col) own[place(row, col)] = true;
        for (std::size_t i = 0; i < memory_.size(); ++i)
            if (!own[i] && !std::isnan(memory_[i])) return false;
        return true;
    }

  private:
    static constexpr std::size_t kAround = 64;

    std::size_t place(int row, int col) const {
        return kAround + (stored_ == Stored::ByRows
                              ? product(row, ld_) + static_cast<std::size_t>(col)
                              : product(col, ld_) + static_cast<std::size_t>(row));
    }

    int rows_, cols_, ld_ = 0;
    Stored stored_;
    std::vector<float> memory_;
};

// Differences between the leading dimensions of M, N and P and their rows (or columns).
struct Extra {
    int m, n, p;
};

// Fails the test where P holds a NaN, which can only come from outside of a part.
inline void expectNumbers(const lab::Text& about, const matrix::Matrix& P,
                          const matrix::DataSet& set, Extra extra, Stored stored,
                          const std::string& where) {
    if (!testing::judges()) return;
    const matrix::Reference reference = matrix::multiply(set.M, set.N);
    const bool exact = matrix::isExact(set.spec.pattern, set.spec.k);
    if (matrix::compare(P, set.M, set.N, reference, exact).looks != matrix::Looks::NotANumber)
        return;
    std::size_t i = 0;
    while (i + 1 < P.size() && !std::isnan(P.data()[i])) ++i;
    // This NaN comes from P itself, as where a kernel adds to it.
    constexpr std::uint32_t kQuiet = 0x00400000U;
    std::uint32_t bits = 0;
    std::memcpy(&bits, P.data() + i, sizeof bits);
    if ((bits | kQuiet) == (matrix::kPoisonBits | kQuiet)) return;
    const int at = static_cast<int>(i);
    const std::string lines = stored == Stored::ByRows ? "rows" : "columns";
    const bool ofM = extra.m > 0 || extra.n == 0, ofN = extra.n > 0 || extra.m == 0;
    const std::string matrices = !ofN ? "M" : !ofM ? "N" : "M and of N";
    const std::string dimensions = !ofN ? "ldm" : !ofM ? "ldn" : "ldm, those of N ldn,";
    lab::fail("not-a-number", about,
              "{} is no number.\nBetween and behind the {} of this part of {} lie values that are "
              "not its own,\nhere NaN: one of them was loaded. Its {} begin {} elements "
              "apart,\nhowever long they are.{}",
              element("P", at / P.cols(), at % P.cols()), lines, matrices, lines, dimensions,
              where);
}

// Fails the test unless the product is right and the elements around P are unchanged.
inline void expectRight(const lab::Text& about, const matrix::DataSet& set, Extra extra,
                        Stored stored) {
    const Shape shape = shapeOf(set);
    const matrix::Matrix before = matrix::poisoned(shape.j, shape.l);
    MatrixPart M(set.M, extra.m, stored), N(set.N, extra.n, stored), P(before, extra.p, stored);
    const auto multiply = stored == Stored::ByRows ? subMatrixMul : columnMajorMatrixMul;
    const std::string where =
        lab::filled("\nSeen with {}, ldm {}, ldn {}, ldp {}.", text(shape), M.ld(), N.ld(), P.ld());
    lab::run(about, lab::gives(P.memory()), [&] {
        multiply(M.first(), M.ld(), N.first(), N.ld(), P.first(), P.ld(), shape.j, shape.k,
                 shape.l);
    });
    if (P.values() == before && P.surroundingsKept())
        lab::fail(
            "never-written", about,
            "P is as it was before, so nothing can be judged. The store is {}, and\nfor columns "
            "{}. If it is there: does its test send every thread away?{}",
            Todo(3), Todo(4), where);
    if (!P.surroundingsKept())
        lab::fail("neighbours-changed", about,
                  "what lies beside this part of P has changed. The part is j x l, however\nfar "
                  "apart its rows begin.{}",
                  where);
    expectNumbers(about, P.values(), set, extra, stored, where);
    INFO(where.substr(1));
    lab::expectProduct(about, P.values(), set);
}
inline void expectRight(const lab::Text& about, Shape shape, Extra extra, Stored stored) {
    expectRight(about, lab::integers(shape), extra, stored);
}
