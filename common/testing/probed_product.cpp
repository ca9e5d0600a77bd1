#include "testing/probed_product.h"

#include <cmath>
#include <cstddef>

#include "testing/lab.h"

namespace lab {
namespace {

using Value = float (*)(int row, int column);

float one(int, int) { return 1; }

matrix::Matrix probed(int width, const ProbedProduct::Product& multiply, Value ofM, Value ofN) {
    matrix::DataSet set = integers(square(width));
    for (int row = 0; row < width; ++row)
        for (int column = 0; column < width; ++column) {
            set.M(row, column) = ofM(row, column);
            set.N(row, column) = ofN(row, column);
        }
    return multiply(set);
}

// Returns the numbers of the bits that a sum of 2^0, 2^1, ... lacks: "3, 7", or "3 to 7"; empty if
// it lacks none, or adds one twice.
std::string lacking(float sum, int width) {
    const float all = std::ldexp(1.0f, width) - 1;
    if (!(sum >= 0 && sum < all && sum == std::trunc(sum))) return "";
    const auto held = static_cast<unsigned>(sum);
    std::string numbers;
    for (int k = 0; k < width; ++k) {
        if (held >> k & 1) continue;
        int last = k;
        while (last + 1 < width && !(held >> (last + 1) & 1)) ++last;
        numbers += (numbers.empty() ? "" : ", ") + std::to_string(k);
        if (last > k) numbers += (last > k + 1 ? " to " : ", ") + std::to_string(last);
        k = last;
    }
    return numbers;
}

}  // namespace

ProbedProduct::ProbedProduct(int width, const Product& multiply)
    : width_(width),
      columnsOfM_(probed(
          width, multiply, [](int, int k) { return std::ldexp(1.0f, k); }, one)),
      rowsOfN_(probed(width, multiply, one, [](int k, int) { return std::ldexp(1.0f, k); })),
      rowOfM_(probed(
          width, multiply, [](int row, int) { return row + 1.0f; }, one)),
      columnOfN_(probed(width, multiply, one, [](int, int column) { return column + 1.0f; })),
      pairs_(probed(
          width, multiply, [](int, int k) { return k + 1.0f; },
          [](int k, int) { return k + 1.0f; })) {}

std::string ProbedProduct::cause(const matrix::Matrix& P, const matrix::DataSet& set) const {
    const matrix::Reference right = matrix::multiply(set.M, set.N);
    std::size_t i = 0;
    while (i < P.size() && P.data()[i] == static_cast<float>(right.product[i])) ++i;
    if (i == P.size()) return "";
    const int row = static_cast<int>(i) / width_, column = static_cast<int>(i) % width_;
    const float all = std::ldexp(1.0f, width_) - 1, ofM = columnsOfM_(row, column),
                ofN = rowsOfN_(row, column);
    if (const std::string left = lacking(ofM, width_); !left.empty() && ofM == ofN)
        return filled("The sum at row {}, column {} leaves out the products with k = {}.", row,
                      column, left)
            .words;
    if (ofM != all || ofN != all) return "";
    const auto of = [&](const matrix::Matrix& numbers) {
        const float line = numbers(row, column) / static_cast<float>(width_) - 1;
        const bool isLine = line == std::trunc(line) && line >= 0 && line < width_;
        return isLine ? static_cast<int>(line) : -1;
    };
    const int ofRow = of(rowOfM_), ofColumn = of(columnOfN_);
    if (ofRow < 0 || ofColumn < 0) return "";
    if (ofRow != row || ofColumn != column)
        return filled("Row {}, column {} of P holds the product of row {} of M and column {} of N.",
                      row, column, ofRow, ofColumn)
            .words;
    const float squares = static_cast<float>(width_ * (width_ + 1) * (2 * width_ + 1) / 6);
    if (pairs_(row, column) != squares)
        return filled(
                   "The sum at row {}, column {} takes the right row of M and column of N, "
                   "but\nmultiplies elements with different k. Both indices need the same k.",
                   row, column)
            .words;
    return "If all elements of M and N are positive, the product is right: see what the\ncode does "
           "with zeros and negative numbers.";
}

}  // namespace lab
