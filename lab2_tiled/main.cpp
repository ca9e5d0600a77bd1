// Runs kernel.cu on data sets and reports; --help lists the options.
#include "harness/lab_program.h"
#include "lab2_tiled/lab2.h"
#include "testing/tile_width.h"

int main(int argc, char** argv) {
    const auto multiply = [](const matrix::Matrix& M, const matrix::Matrix& N, matrix::Matrix& P) {
        tiledMatrixMul(M.data(), N.data(), P.data(), M.rows());
    };
    return harness::runLab({"lab2_tiled", true, multiply, tileWidth()}, argc, argv);
}
