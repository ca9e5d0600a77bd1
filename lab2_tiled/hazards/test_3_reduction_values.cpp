// Tests the values of the tree reduction.
#include "lab2_tiled/hazards/values.h"

TEST_CASE("each column is divided by the sum of its absolute values") {
    const int shapes[][2] = {{128, 4}, {1, 3}, {31, 2}, {100, 5}, {300, 3}, {2, 300}, {1024, 2}};
    for (const auto& shape : shapes) {
        INFO("rows x cols = " << shape[0] << " x " << shape[1]);
        hazards::expectValues(Todo(3), hazards::onNormalizeColumns(shape[0], shape[1]));
    }
    lab::expectLastElement(
        Todo(3),
        [](const matrix::Matrix& A) {
            matrix::Matrix B(A.rows(), A.cols());
            normalizeColumns(A.data(), B.data(), A.rows(), A.cols());
            return B.data()[B.size() - 1];
        },
        [](const matrix::Matrix& A) {
            float norm = 0.0F;
            for (int r = 0; r < A.rows(); ++r) norm += A(r, A.cols() - 1);
            return A.data()[A.size() - 1] / norm;
        },
        hazards::kOfBarriers);
}
