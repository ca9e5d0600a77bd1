// Tests the values of the transpose through a tile.
#include "lab2_tiled/banks/values.h"

TEST_CASE("the transpose is right for squares and for rectangles") {
    const int shapes[][2] = {{32, 32}, {64, 96}, {96, 32}, {320, 32}, {32, 320}};
    for (const auto& shape : shapes) {
        INFO("rows x cols = " << shape[0] << " x " << shape[1]);
        banks::expectTransposed(shape[0], shape[1]);
    }
    lab::expectLastElement(
        "transpose",
        [](const matrix::Matrix& A) {
            matrix::Matrix B(A.cols(), A.rows());
            transpose(A.data(), B.data(), A.rows(), A.cols());
            return B.data()[B.size() - 1];
        },
        [](const matrix::Matrix& A) { return A.data()[A.size() - 1]; });
}
