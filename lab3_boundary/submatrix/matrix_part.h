// A part of a larger matrix, with guards around it.
#pragma once

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "lab3_boundary/shape.h"
#include "matrix/matrix.h"

enum class Stored { ByRows, ByColumns };

// A matrix in memory with a leading dimension. NaNs are before it, after it, and between its rows
// or columns, so that a kernel that reads one computes no number.
class MatrixPart {
  public:
    // `extra` is the difference between the leading dimension and the length of a row or column.
    MatrixPart(const matrix::Matrix& values, int extra, Stored stored)
        : rows_(values.rows()), cols_(values.cols()), stored_(stored) {
        const bool byRows = stored == Stored::ByRows;
        ld_ = (byRows ? cols_ : rows_) + extra;
        memory_.assign(kAround + product(ld_, byRows ? rows_ : cols_) + kBehind,
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
    const float* first() const { return &memory_[kAround]; }
    // Returns the part with the NaNs around it.
    std::vector<float>& memory() { return memory_; }
    const std::vector<float>& memory() const { return memory_; }
    // Removes all that comes after the last element, as if the part ended with the whole matrix.
    void endWithLast() { memory_.resize(begin() + span()); }
    int ld() const { return ld_; }
    int rows() const { return rows_; }
    int cols() const { return cols_; }
    // Returns the index of the first element in memory().
    static std::size_t begin() { return kAround; }
    // Returns the floats from the first element to the last, and to the end of the last line.
    std::size_t span() const { return place(rows_ - 1, cols_ - 1) + 1 - kAround; }
    std::size_t spanWithLastGap() const {
        return product(ld_, stored_ == Stored::ByRows ? rows_ : cols_);
    }

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
    // After it is room for a copy of other rows and columns.
    static constexpr std::size_t kAround = 64, kBehind = 2048;

    std::size_t place(int row, int col) const {
        return kAround + (stored_ == Stored::ByRows
                              ? product(row, ld_) + static_cast<std::size_t>(col)
                              : product(col, ld_) + static_cast<std::size_t>(row));
    }

    int rows_, cols_, ld_ = 0;
    Stored stored_;
    std::vector<float> memory_;
};
