// Tests the values of the transpose in place.
#include "lab2_tiled/hazards/values.h"

TEST_CASE("each square is transposed in place, for every width from 1 to 20") {
    for (int BLOCK_WIDTH = 1; BLOCK_WIDTH <= 20; ++BLOCK_WIDTH) {
        INFO("BLOCK_WIDTH " << BLOCK_WIDTH);
        hazards::expectValues(Todo(2), hazards::onBlockTranspose(BLOCK_WIDTH));
    }
    // More rows and columns than a char counts.
    hazards::expectValues(Todo(2), hazards::onBlockTranspose(5, 52, 1));
    hazards::expectValues(Todo(2), hazards::onBlockTranspose(5, 1, 52));
    lab::expectLastElement(
        Todo(2),
        [](matrix::Matrix A) {
            blockTranspose(A.data(), A.rows(), A.cols(), 16);
            return A(A.rows() - 1, A.cols() - 2);
        },
        [](const matrix::Matrix& A) { return A(A.rows() - 2, A.cols() - 1); },
        hazards::kOfBarriers);
}
