#include "matrix/reference.h"

#include <cfloat>
#include <cmath>
#include <string>

#include "matrix/input_error.h"

namespace matrix {

namespace {

std::string shape(const Matrix& m) { return words::joined(m.rows(), " x ", m.cols()); }

void checkShapes(const Matrix& M, const Matrix& N) {
    if (M.size() == 0 || N.size() == 0)
        throw InputError("a matrix of ", shape(M), " or ", shape(N),
                         " holds no values; give each a row and a column at least");
    if (M.cols() != N.rows())
        throw InputError("a ", shape(M), " matrix cannot be multiplied by a ", shape(N),
                         " one; the columns of the first must equal the rows of the second");
    if (M.cols() >= 1 << 23)
        throw InputError("an inner dimension of ", M.cols(),
                         " is too large to judge float sums by; keep it below 8388608");
}

}  // namespace

Reference multiply(const Matrix& M, const Matrix& N) {
    checkShapes(M, N);
    const auto cols = static_cast<std::size_t>(N.cols());
    const std::vector<double> zeros(static_cast<std::size_t>(M.rows()) * cols);
    Reference result{M.rows(), N.cols(), M.cols(), zeros, zeros};
    for (int r = 0; r < M.rows(); ++r) {
        double* product = result.product.data() + static_cast<std::size_t>(r) * cols;
        double* magnitude = result.magnitude.data() + static_cast<std::size_t>(r) * cols;
        // i is the outer loop, so that N is read along its rows, in the order of memory.
        for (int i = 0; i < M.cols(); ++i) {
            const double m = M(r, i);
            const float* row = N.data() + static_cast<std::size_t>(i) * cols;
            for (std::size_t c = 0; c < cols; ++c) {
                const double term = m * static_cast<double>(row[c]);
                product[c] += term;
                magnitude[c] += std::fabs(term);
            }
        }
    }
    for (std::size_t i = 0; i < zeros.size(); ++i)
        if (!(result.magnitude[i] <= FLT_MAX))
            throw InputError("the product's row ", i / cols, ", column ", i % cols,
                             " exceeds float's range; use smaller values");
    return result;
}

}  // namespace matrix
