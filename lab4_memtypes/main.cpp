// Runs kernel.cu on a data set and reports; --help says on which ones.
#include "harness/lab_program.h"
#include "lab4_memtypes/lab4.h"

int main(int argc, char** argv) {
    const auto multiply = [](const matrix::Matrix& M, const matrix::Matrix& N, matrix::Matrix& P) {
        dynamicMatrixMul(M.data(), N.data(), P.data(), M.rows());
    };
    return harness::runLab({"lab4_memtypes", true, multiply}, argc, argv);
}
