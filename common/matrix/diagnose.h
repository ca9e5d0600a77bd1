#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "matrix/compare.h"

namespace matrix {

// The value of an element under an explanation, and the sum of its terms' magnitudes.
struct Expected {
    double value = 0.0;
    double magnitude = 0.0;

    void addProduct(float m, float n) {
        const double product = static_cast<double>(m) * static_cast<double>(n);
        value += product;
        magnitude += std::fabs(product);
    }
};

// A failed comparison, for the guesses.
struct Failure {
    const Matrix& got;
    const Matrix& M;
    const Matrix& N;
    const Reference& reference;
    bool exact;
    std::vector<std::size_t> wrong;  // indices of the wrong elements, ascending

    // Returns the expected value at this index.
    Expected right(std::size_t i) const { return {reference.product[i], reference.magnitude[i]}; }

    // Tells whether a value is the expected one: equal for exact data, else within errorBound.
    // NaN never agrees.
    bool agrees(float value, const Expected& expected) const {
        if (exact) return value == static_cast<float>(expected.value);
        return std::fabs(static_cast<double>(value) - expected.value) <=
               errorBound(reference.inner, expected.magnitude);
    }

    // Tells whether every element of got agrees with expected(row, column). Stops at the first
    // that does not, so that a wrong explanation costs little.
    template <typename Function>
    bool isExplainedBy(Function expected) const {
        if (wrong.size() < 2) return false;
        for (int r = 0; r < got.rows(); ++r)
            for (int c = 0; c < got.cols(); ++c)
                if (!agrees(got(r, c), expected(r, c))) return false;
        return true;
    }
};

struct Guess {
    Looks looks = Looks::Other;
    std::string sentence;
};

inline std::uint32_t bitsOf(float value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

inline bool isPoison(float value) { return bitsOf(value) == kPoisonBits; }

// Returns how many wrong elements an explanation must fit. Small integers fit one or two by chance,
// real data do not.
inline std::size_t evidenceNeeded(const Failure& failure) { return failure.exact ? 3 : 1; }

// Returns the first explanation that fits every wrong element it covers; Other if none does.
Guess diagnose(const Failure& failure);

// Guesses of diagnose_products.cpp; each returns Other if it does not fit.
Guess guessMissingPhases(const Failure& failure);
Guess guessOtherProduct(const Failure& failure);
Guess guessTileIndices(const Failure& failure);
Guess guessOneValueEach(const Failure& failure);
Guess guessWithoutK(const Failure& failure);
Guess guessFractionsCutOff(const Failure& failure);

// Guesses of diagnose_terms.cpp.
Guess guessOtherTerms(const Failure& failure);
Guess guessRowLength(const Failure& failure);
Guess guessTilesOfPhases(const Failure& failure);
Guess guessTileProducts(const Failure& failure);

}  // namespace matrix
