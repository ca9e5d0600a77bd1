#pragma once

#include "matrix/diagnose.h"

namespace matrix {

// Returns whether every element of got agrees with expected(row, column). Stops at the first that
// does not, so that a wrong explanation costs little.
template <typename Function>
bool explainsAll(const Failure& failure, Function expected) {
    if (failure.wrong.size() < 2) return false;
    for (int r = 0; r < failure.got.rows(); ++r)
        for (int c = 0; c < failure.got.cols(); ++c)
            if (!agrees(failure.got(r, c), expected(r, c), failure.reference.inner, failure.exact))
                return false;
    return true;
}

}  // namespace matrix
