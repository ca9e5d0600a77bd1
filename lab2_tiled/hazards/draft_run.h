// Calls draftMatrixMul, for tests of its values.
#pragma once

#include "lab2_tiled/hazards/values.h"

namespace hazards {

// Returns a data set with three phases and several blocks.
inline matrix::DataSet threeTiles(matrix::Pattern pattern) {
    const int Width = 3 * widthOfTiles();
    return lab::build(Width, Width, Width, pattern, 1);
}

inline matrix::Matrix draftProduct(const lab::Text& about, const matrix::DataSet& set) {
    const int Width = set.M.rows();
    matrix::Matrix P = matrix::poisoned(Width, Width);
    lab::runIgnoring(kOfBarriers, about, lab::gives(P).from(set.M, set.N),
                     [&] { draftMatrixMul(set.M.data(), set.N.data(), P.data(), Width); });
    return P;
}

}  // namespace hazards
