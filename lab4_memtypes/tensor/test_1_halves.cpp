// Tests the rounding to halves, and the first fragment.
#include <iomanip>
#include <sstream>

#include "lab4_memtypes/tensor/product_run.h"

namespace {

// Returns the half that is nearest to a number; of two, the one whose last bit is 0.
float nearestHalf(float number) {
    const int exponent = number == 0.0f ? 0 : std::ilogb(number);
    const int lastBit = std::max(exponent, -14) - 10;
    return static_cast<float>(
        std::ldexp(std::nearbyint(std::ldexp(double{number}, -lastBit)), lastBit));
}

void expectRounded(const matrix::Matrix& A) {
    matrix::Matrix rounded = matrix::poisoned(A.rows(), A.cols());
    lab::run(Todo(1), lab::gives(rounded).from(A),
             [&] { roundToHalf(A.data(), rounded.data(), static_cast<int>(A.size())); });
    for (std::size_t i = 0; i < A.size(); ++i) {
        const float wanted = nearestHalf(A.data()[i]), is = rounded.data()[i];
        if (is == wanted) continue;
        std::ostringstream values;
        values << std::setprecision(9) << A.data()[i] << " becomes " << is
               << ". The nearest half is " << wanted;
        lab::fail("wrong-values", Todo(1), "element {} of {} is wrong:\n{}.", i, A.size(),
                  values.str());
    }
}

}  // namespace

TEST_CASE("TODO(1): each element is rounded to the nearest half") {
    const device::WithoutWarps withoutWarps;
    for (const int elements : {256, 1000, 1, 70000})
        expectRounded(
            matrix::generate(matrix::Pattern::WideMagnitudes, 1, elements, lab::seedFor(1)));
    matrix::Matrix few(1, 8);
    // 2049 and 2051 are in the middle between two halves, and 1e-6 has few digits as a half.
    const float values[] = {0.0f, 0.1f, 2047.0f, 2049.0f, -2051.0f, 65504.0f, 1e-6f, -1.0f / 3};
    std::copy(std::begin(values), std::end(values), few.data());
    expectRounded(few);
}

TEST_CASE("TODO(2): the sums begin with 0") {
    tensor::expectRight(Todo(2), warpTileMatrixMul, tensor::zeroTimesN(tensor::kTile));
}
