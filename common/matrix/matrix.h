#pragma once

#include <cstddef>
#include <vector>

namespace matrix {

// A row-major matrix of float: element (r, c) lies at data()[r * cols() + c], as the labs' kernels
// index it. Rows and columns count from 0.
class Matrix {
  public:
    Matrix() = default;

    // Makes a rows x cols matrix with every element equal to fill, copied bit by bit, so that a NaN
    // keeps its payload. Throws std::invalid_argument if rows or cols is negative.
    Matrix(int rows, int cols, float fill = 0.0F);

    int rows() const { return rows_; }
    int cols() const { return cols_; }
    std::size_t size() const { return values_.size(); }

    float* data() { return values_.data(); }
    const float* data() const { return values_.data(); }

    // Checked access; throws std::out_of_range with a sentence naming row, column and shape.
    float& at(int r, int c);
    const float& at(int r, int c) const;

    // Unchecked access, for inner loops.
    float& operator()(int r, int c) { return values_[index(r, c)]; }
    float operator()(int r, int c) const { return values_[index(r, c)]; }

    // Returns the element's index in data().
    std::size_t index(int r, int c) const {
        return static_cast<std::size_t>(r) * static_cast<std::size_t>(cols_) +
               static_cast<std::size_t>(c);
    }

  private:
    void check(int r, int c) const;

    int rows_ = 0;
    int cols_ = 0;
    std::vector<float> values_;
};

// Compare shape and bits: a NaN equals itself, and -0.0 differs from 0.0. They tell whether a
// matrix was changed; compare() judges products.
bool operator==(const Matrix& a, const Matrix& b);
bool operator!=(const Matrix& a, const Matrix& b);

}  // namespace matrix
