// One call of constantMatrixMul.
#pragma once

#include <string>
#include <vector>

#include "lab4_memtypes/constant/constant.h"
#include "matrix/compare.h"
#include "testing/lab.h"

namespace constant {

struct Shape {
    int j, k, l;
};

inline std::string text(Shape s) {
    return std::to_string(s.j) + " x " + std::to_string(s.k) + " x " + std::to_string(s.l);
}

struct Product {
    matrix::DataSet set;
    matrix::Matrix P;
};

// Findings of the kinds left out are told by other tests.
inline Product multiply(const std::string& todo, matrix::DataSet set,
                        const std::vector<std::string>& leftToOtherTests = {}) {
    const Shape s{set.M.rows(), set.M.cols(), set.N.cols()};
    Product product{std::move(set), matrix::poisoned(s.j, s.l)};
    INFO("j x k x l = " << text(s));
    lab::runIgnoring(
        leftToOtherTests, todo,
        [&] {
            constantMatrixMul(product.set.M.data(), product.set.N.data(), product.P.data(), s.j,
                              s.k, s.l);
        },
        lab::gives(product.P));
    return product;
}

inline void expectRight(const std::string& todo, Shape s) {
    const Product product = multiply(todo, lab::integers(s.j, s.k, s.l));
    INFO("j x k x l = " << text(s));
    lab::expectProduct(todo, product.P, product.set);
}

}  // namespace constant
