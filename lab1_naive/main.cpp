// Runs kernel.cu on data sets and reports; --help lists the options.
#include "harness/lab_program.h"
#include "lab1_naive/lab1.h"

int main(int argc, char** argv) {
    harness::Lab lab;
    lab.name = "lab1_naive";
    lab.square = true;
    lab.multiply = [](const matrix::Matrix& M, const matrix::Matrix& N, matrix::Matrix& P) {
        matrixMul(M.data(), N.data(), P.data(), M.rows());
    };
    return harness::runLab(lab, argc, argv);
}
