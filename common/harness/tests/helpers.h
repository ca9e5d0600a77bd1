#pragma once

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "harness/lab_program.h"
#include "matrix/tests/helpers.h"

namespace harness_test {

using matrix::Matrix;
using matrix_test::contains;
using matrix_test::Folder;

inline std::string slurp(const std::string& path) {
    std::ifstream in(path);
    return std::string(std::istreambuf_iterator<char>(in), {});
}

inline std::size_t widestLine(const std::string& text) {
    std::istringstream in(text);
    std::string line;
    std::size_t widest = 0;
    while (std::getline(in, line)) widest = line.size() > widest ? line.size() : widest;
    return widest;
}

// Output and exit status of a lab's program.
struct Ran {
    int status = -1;
    std::string out, err;
};

inline Ran ran(const harness::Lab& lab, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "run");
    std::vector<char*> argv;
    argv.reserve(arguments.size());
    for (std::string& argument : arguments) argv.push_back(argument.data());
    std::ostringstream out, err;
    Ran result;
    result.status = harness::runLab(lab, static_cast<int>(argv.size()), argv.data(), out, err);
    result.out = out.str();
    result.err = err.str();
    return result;
}

inline void rightProduct(const Matrix& M, const Matrix& N, Matrix& P) {
    for (int r = 0; r < P.rows(); ++r)
        for (int c = 0; c < P.cols(); ++c) {
            float sum = 0.0F;
            for (int i = 0; i < M.cols(); ++i) sum += M(r, i) * N(i, c);
            P(r, c) = sum;
        }
}

inline void transposedProduct(const Matrix& M, const Matrix& N, Matrix& P) {
    Matrix right(P.rows(), P.cols());
    rightProduct(M, N, right);
    for (int r = 0; r < P.rows(); ++r)
        for (int c = 0; c < P.cols(); ++c) P(r, c) = right(c, r);
}

inline harness::Lab labWith(decltype(harness::Lab::multiply) multiply, bool square = false) {
    harness::Lab lab;
    lab.name = "a lab";
    lab.square = square;
    lab.multiply = std::move(multiply);
    return lab;
}

inline harness::Lab tiledLab(decltype(harness::Lab::multiply) multiply, int tileWidth) {
    harness::Lab lab = labWith(std::move(multiply), true);
    lab.tileWidth = tileWidth;
    return lab;
}

}  // namespace harness_test
