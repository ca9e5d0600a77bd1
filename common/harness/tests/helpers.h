#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "harness/lab_program.h"
#include "matrix/tests/helpers.h"
#include "testing/catch.h"

namespace harness_test {

using matrix::Matrix;
using matrix_test::contains;
using matrix_test::Folder;
using matrix_test::widestLine;

// Output and exit status of a lab's program.
struct Ran {
    int status = -1;
    std::string out, err;
};

inline Ran ran(const harness::Lab& lab, std::vector<std::string> arguments = {}) {
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

// Runs the lab on files M.raw and N.raw with these texts, and on P.raw if its text is not empty.
inline Ran ranOn(const harness::Lab& lab, const std::string& M, const std::string& N,
                 const std::string& P = "") {
    const Folder folder;
    std::vector<std::string> arguments{"-i",
                                       folder.file("M.raw", M) + "," + folder.file("N.raw", N)};
    if (!P.empty()) arguments.insert(arguments.end(), {"-e", folder.file("P.raw", P)});
    return ran(lab, arguments);
}

// Checks the exit status, and that the report, or the sentence for status 2, contains this part.
inline void checkEnded(const Ran& run, int status, const std::string& part) {
    INFO(run.out << run.err);
    CHECK(run.status == status);
    CHECK(contains(status == 2 ? run.err : run.out, part));
}
inline void checkRefused(const Ran& run, const std::string& part) { checkEnded(run, 2, part); }

inline void rightProduct(const Matrix& M, const Matrix& N, Matrix& P) {
    P = matrix_test::rounded(matrix::multiply(M, N));
}

inline void transposedProduct(const Matrix& M, const Matrix& N, Matrix& P) {
    P = matrix_test::transposeOf(matrix_test::rounded(matrix::multiply(M, N)));
}

inline harness::Lab labWith(decltype(harness::Lab::multiply) multiply, bool square = false) {
    harness::Lab lab;
    lab.name = "lab1 here";
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
