#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "matrix/matrix.h"
#include "matrix/reference.h"

namespace matrix {

// What a wrong result looks like. Each is claimed only where it holds for every wrong element
// that it speaks of; Other claims nothing.
enum class Looks {
    Right,
    NeverWritten,         // every element is still poison
    PartlyWritten,        // some elements are still poison, in no trailing band
    NotANumber,           // NaN or infinity
    SumNotSet,            // an int that nobody has set is in it
    AllZero,              // every element is 0
    Transposed,           // (M N)^T, in its own shape or flat in that of M N
    SwappedOperands,      // N M
    TransposedOperand,    // M^T N or M N^T
    TurnedTile,           // the same, tile by tile
    TileIndex,            // products of other elements of the tiles than belong together
    OneValueEach,         // each row, or each column, holds one value
    WithoutK,             // the sum takes one element of M, or of N, again and again
    LastRowsOrColumns,    // only the last rows, the last columns or both are wrong
    MissingPhases,        // only the first, or only the last, products of each sum are in
    Multiple,             // a whole multiple of the right result
    NeighbouringElement,  // each element belongs one place away
    FractionsCutOff,      // whole numbers, as if some variable were an int
    Other,
};

// The name of the verdict in plain words, such as "never written".
const char* name(Looks looks);

struct Comparison {
    bool passed = false;
    std::size_t wrong = 0;      // elements beyond their bound
    double largestError = 0.0;  // largest |got - reference|; infinity where any got is not finite
    double itsBound = 0.0;      // the bound of that same element; 0 for exact data
    Looks looks = Looks::Right;
    std::string explanation;  // for people: a few lines, without a line end after the last
};

// What outputs are filled with before a kernel runs: a NaN whose payload no arithmetic makes. It
// is a signalling NaN so that a sum that began with it differs from it: the first addition sets
// its quiet bit, while copying leaves it alone. "Never written" and "added to, but never set" thus
// tell apart.
constexpr std::uint32_t kPoisonBits = 0x7FA5C0DEU;

// A rows x cols matrix of poison.
Matrix poisoned(int rows, int cols);

// The largest error that a float32 inner product of k terms may have in any order of summation,
// with or without fused multiply-add, where magnitude is the sum of the |m n|:
//   g * magnitude, with g = (k + 1) u / (1 - (k + 1) u) and u = 2^-24
// (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 3.5; one more than his
// k covers the rounding of the reference). To this comes k * 2^-149 for products that fall below
// the normal floats, which the theorem leaves out (ibid., section 2.1). Needs k < 2^24 - 1.
double errorBound(int k, double magnitude);

// Judges got, which should be M N, by reference = multiply(M, N). Where exact (see isExact), each
// element must equal the reference's float (-0 equals 0); otherwise each may err by errorBound.
// NaN and infinity never pass. Throws InputError where the shapes of got, M and N are not those of
// the reference.
Comparison compare(const Matrix& got, const Matrix& M, const Matrix& N, const Reference& reference,
                   bool exact);

}  // namespace matrix
