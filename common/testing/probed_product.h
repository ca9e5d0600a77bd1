// Tells what the elements of a wrong product hold, if no pattern fits: runs the student's code with
// matrices whose numbers tell their places.
#pragma once

#include <functional>
#include <string>

#include "matrix/catalog.h"
#include "matrix/matrix.h"

namespace lab {

class ProbedProduct {
  public:
    // `multiply` returns the code's product of a set, for squares of at most 20 columns.
    using Product = std::function<matrix::Matrix(const matrix::DataSet&)>;
    ProbedProduct(int width, const Product& multiply);

    // Explains the first wrong element of this product in a line or two; empty if it cannot.
    std::string cause(const matrix::Matrix& P, const matrix::DataSet& set) const;

  private:
    int width_;
    matrix::Matrix columnsOfM_, rowsOfN_, rowOfM_, columnOfN_, pairs_;
};

}  // namespace lab
