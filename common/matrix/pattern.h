#pragma once

#include <cstdint>
#include <string_view>

#include "matrix/matrix.h"

namespace matrix {

// The kinds of values in a generated matrix.
enum class Pattern {
    SmallIntegers,   // "integers": whole numbers from -8 to 8
    Uniform,         // "uniform": multiples of 2^-23 in [-1, 1)
    Identity,        // "identity": 1 on the diagonal, 0 elsewhere, for any seed
    Ramp,            // "ramp": (5 * row + column + seed) mod 17, so 0 to 16
    MostlyZero,      // "sparse": a whole number from -8 to 8 in one element of eight, else 0
    WideMagnitudes,  // "wide": either sign, magnitudes from 2^-12 up to, not including, 2^12
};

// Returns the pattern of that name. Throws InputError, listing the names, for any other.
Pattern parsePattern(std::string_view text);

// Returns the name that parsePattern reads.
const char* name(Pattern pattern);

// Tells whether float32 computes an inner product of k terms exactly, in any order of summation,
// for two matrices of this pattern (and for an identity times small integers). True if every
// value is a whole number and k * (largest product of two values) < 2^24, because float32
// represents every whole number in [-2^24, 2^24].
bool isExact(Pattern pattern, int k);

// Returns rows x cols values; the same arguments give the same bytes on every platform. No matrix
// larger than 1 x 1 is symmetric, except the identity, so that a transposed result and swapped
// operands show. Throws std::invalid_argument if rows or cols is negative.
Matrix generate(Pattern pattern, int rows, int cols, std::uint64_t seed);

}  // namespace matrix
