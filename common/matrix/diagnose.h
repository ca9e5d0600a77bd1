#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "matrix/compare.h"

namespace matrix {

// Holds a failed comparison, for the guesses.
struct Failure {
    const Matrix& got;
    const Matrix& M;
    const Matrix& N;
    const Reference& reference;
    bool exact;
    std::vector<std::size_t> wrong;  // indices of the wrong elements, ascending
};

// What an element would hold under an explanation, and the sum of its terms' magnitudes.
struct Expected {
    double value = 0.0;
    double magnitude = 0.0;
};

struct Guess {
    Looks looks = Looks::Other;
    std::string sentence;
};

// Returns whether got is the expected value: equal for exact data, else within errorBound. NaN
// never agrees.
inline bool agrees(float got, const Expected& expected, int inner, bool exact) {
    if (exact) return got == static_cast<float>(expected.value);
    return std::fabs(static_cast<double>(got) - expected.value) <=
           errorBound(inner, expected.magnitude);
}

inline std::uint32_t bitsOf(float value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

inline bool isPoison(float value) { return bitsOf(value) == kPoisonBits; }

// Returns how many wrong elements an explanation must fit. Small integers fit one or two by chance,
// real data do not.
inline std::size_t evidenceNeeded(const Failure& failure) { return failure.exact ? 3 : 1; }

// Returns the first explanation that fits every wrong element it covers; Other where none does.
Guess diagnose(const Failure& failure);

// Guesses with a file of their own; each returns Other where it does not fit.
Guess guessTrailingBand(const Failure& failure);
Guess guessMissingPhases(const Failure& failure);
Guess guessOtherProduct(const Failure& failure);
Guess guessTileIndices(const Failure& failure);
Guess guessOneValueEach(const Failure& failure);
Guess guessWithoutK(const Failure& failure);
Guess guessFractionsCutOff(const Failure& failure);

}  // namespace matrix
