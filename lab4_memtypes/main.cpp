// Runs kernel.cu on a data set and reports; --help says on which ones. TILE_WIDTH= takes the place
// of the tile width that the device allows.
#include <cstdlib>

#include "harness/lab_program.h"
#include "lab4_memtypes/lab4.h"

namespace {

// Returns the tile width that is asked for; 0: none that this lab can have.
int askedTileWidth() {
    const char* const asked = std::getenv("TILE_WIDTH");
    const int tileWidth = asked ? std::atoi(asked) : 0;
    return tileWidth % 16 == 0 ? tileWidth : 0;
}

}  // namespace

int main(int argc, char** argv) {
    const int tileWidth = askedTileWidth();
    const auto multiply = [=](const matrix::Matrix& M, const matrix::Matrix& N, matrix::Matrix& P) {
        if (tileWidth > 0)
            matrixMulWithTile(M.data(), N.data(), P.data(), M.rows(), tileWidth);
        else
            dynamicMatrixMul(M.data(), N.data(), P.data(), M.rows());
    };
    return harness::runLab({"lab4_memtypes", true, multiply}, argc, argv);
}
