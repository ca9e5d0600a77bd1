#pragma once

#include <cstdint>
#include <string_view>

#include "matrix/matrix.h"

namespace matrix {

// What the values of a generated matrix are like.
enum class Pattern {
    SmallIntegers,   // "integers": whole numbers from -8 to 8
    Uniform,         // "uniform": multiples of 2^-23 in [-1, 1)
    Identity,        // "identity": 1 on the diagonal, 0 elsewhere; the seed does not matter
    Ramp,            // "ramp": (5 * row + column + seed) mod 17, so 0 to 16
    MostlyZero,      // "sparse": one value in eight a whole number from -8 to 8, the others 0
    WideMagnitudes,  // "wide": either sign, magnitudes from 2^-12 up to, not including, 2^12
};

// The pattern of that name; InputError, listing the names, for any other.
Pattern parsePattern(std::string_view text);

// The name that parsePattern reads.
const char* name(Pattern pattern);

// Whether float32 gives an inner product of k terms exactly, in any order of summation, for two
// matrices of this pattern (and for an identity times small integers). It does where every value
// is a whole number and no partial sum can leave [-2^24, 2^24], within which float32 holds every
// whole number: where k * (largest product of two values) < 2^24.
bool isExact(Pattern pattern, int k);

// rows x cols values; the same arguments give the same bytes on every platform. But for the
// identity no matrix larger than 1 x 1 is symmetric by design, so that a transposed result or
// swapped operands show. Throws std::invalid_argument where rows or cols is negative.
Matrix generate(Pattern pattern, int rows, int cols, std::uint64_t seed);

}  // namespace matrix
