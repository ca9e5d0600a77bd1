#include "harness/expected_file.h"

#include <cmath>

#include "matrix/compare.h"
#include "matrix/input_error.h"

namespace harness {
namespace {

using matrix::Matrix;

bool hasDecimals(const Matrix& m, double unit) {
    for (std::size_t i = 0; i < m.size(); ++i) {
        const double value = static_cast<double>(m.data()[i]);
        if (static_cast<float>(std::round(value / unit) * unit) != m.data()[i]) return false;
    }
    return true;
}

// Returns how far rounding to the file's decimals may have moved a value; 0 for whole numbers and
// for files with all digits. Libwb's generators print two decimals.
double roundingOfDecimals(const Matrix& m) {
    if (hasDecimals(m, 1.0)) return 0.0;
    double unit = 1.0;
    for (int decimals = 1; decimals <= 6; ++decimals) {
        unit /= 10.0;
        if (hasDecimals(m, unit)) return 0.5 * unit;
    }
    return 0.0;
}

bool agreesWhenRounded(const Matrix& expected, const matrix::Reference& reference) {
    const double rounding = roundingOfDecimals(expected);
    if (rounding == 0.0) return false;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const double error =
            std::fabs(static_cast<double>(expected.data()[i]) - reference.product[i]);
        const double bound = matrix::errorBound(reference.inner, reference.magnitude[i]);
        if (!(error <= bound + rounding)) return false;
    }
    return true;
}

}  // namespace

void checkExpected(const ProductSet& set, const matrix::Reference& reference) {
    if (!set.expected) return;
    const Matrix& expected = *set.expected;
    const matrix::Comparison result = matrix::compare(expected, set.M, set.N, reference, set.exact);
    if (result.passed || agreesWhenRounded(expected, reference)) return;
    std::string looks;
    if (result.looks != matrix::Looks::Other)
        looks = std::string(", and looks like this: ") + matrix::name(result.looks);
    throw matrix::InputError(set.expectedPath +
                             " is not the product of its inputs: " + std::to_string(result.wrong) +
                             " of its " + std::to_string(expected.size()) +
                             " values differ from M N" + looks + "; make the data set again");
}

}  // namespace harness
