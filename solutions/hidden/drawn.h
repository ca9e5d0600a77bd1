// Shapes and data of the hidden tests, drawn from LAB_SEED: unknown beforehand, and the same for
// all students graded with that seed.
#pragma once

#include <cstdint>

#include "testing/lab.h"

namespace drawn {

// Returns a number from `least` to `most`; `which` tells the draws of a test program apart.
inline int number(std::uint64_t which, int least, int most) {
    const auto range = static_cast<std::uint64_t>(most - least + 1);
    return least + static_cast<int>(lab::seedFor(1000 + which) / 7 % range);
}

// Alternates between whole numbers, for which a right kernel is exact, and fractions.
inline matrix::Pattern pattern(int turn) {
    return turn % 2 == 0 ? matrix::Pattern::SmallIntegers : matrix::Pattern::Uniform;
}

// Returns the data set of a turn: M is j x k, N is k x l.
inline matrix::DataSet set(int turn, int j, int k, int l) {
    const auto seed = static_cast<std::uint64_t>(2000 + turn);
    return lab::build(j, k, l, pattern(turn), seed);
}

}  // namespace drawn
