// Tests the type of the sum in the printed draft of the tiled kernel; barriers do not mend it.
#include <cmath>

#include "lab2_tiled/hazards/draft_run.h"

TEST_CASE("TODO(4): fractions in M and N leave fractions in P") {
    const matrix::Matrix P =
        hazards::draftProduct(Todo(4), hazards::threeTiles(matrix::Pattern::Uniform));
    for (int Row = 0; Row < P.rows(); ++Row)
        for (int Col = 0; Col < P.cols(); ++Col)
            if (P(Row, Col) != std::floor(P(Row, Col))) return;
    lab::fail("whole-numbers", Todo(4),
              "M and N are full of fractions, and every element of P is a whole\nnumber. Look at "
              "the type of Pvalue: each addition cuts off the fraction.");
}
