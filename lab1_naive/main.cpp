// Runs kernel.cu on data sets and reports; --help lists the options.
#include "harness/lab_program.h"
#include "lab1_naive/lab1.h"

int main(int argc, char** argv) {
    const auto multiply = [](const matrix::Matrix& M, const matrix::Matrix& N, matrix::Matrix& P) {
        matrixMul(M.data(), N.data(), P.data(), M.rows());
    };
    return harness::runLab({"lab1_naive", true, multiply}, argc, argv);
}
