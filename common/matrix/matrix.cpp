#include "matrix/matrix.h"

#include <cstring>
#include <stdexcept>

#include "text/joined.h"

namespace matrix {

namespace {

std::size_t checkedSize(int rows, int cols) {
    if (rows < 0 || cols < 0)
        throw std::invalid_argument(words::joined("a matrix cannot have the shape ", rows, " x ",
                                                  cols, "; give rows and columns of 0 or more"));
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols);
}

}  // namespace

Matrix::Matrix(int rows, int cols, float fill)
    : rows_(rows), cols_(cols), values_(checkedSize(rows, cols), fill) {}

float& Matrix::at(int r, int c) {
    check(r, c);
    return values_[index(r, c)];
}

const float& Matrix::at(int r, int c) const {
    check(r, c);
    return values_[index(r, c)];
}

void Matrix::check(int r, int c) const {
    if (r < 0 || r >= rows_ || c < 0 || c >= cols_)
        throw std::out_of_range(words::joined("row ", r, ", column ", c, " lies outside a ", rows_,
                                              " x ", cols_, " matrix"));
}

bool operator==(const Matrix& a, const Matrix& b) {
    if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
    return a.size() == 0 || std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

bool operator!=(const Matrix& a, const Matrix& b) { return !(a == b); }

}  // namespace matrix
