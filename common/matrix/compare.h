#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "matrix/matrix.h"
#include "matrix/reference.h"

namespace matrix {

// Names what a wrong result looks like. A name is given only if it explains every wrong element
// that it covers; Other explains none.
enum class Looks {
    Right,
    NeverWritten,         // every element is still poison
    PartlyWritten,        // some elements are still poison, in no trailing band
    NotANumber,           // NaN or infinity
    SumNotSet,            // an int that was never set is added in
    AllZero,              // every element is 0
    Transposed,           // (M N)^T, in its own shape or flat in that of M N
    SwappedOperands,      // N M
    TransposedOperand,    // M^T N or M N^T
    TurnedTile,           // the same, within each tile
    TileIndex,            // products of elements at wrong places in their tiles
    OneValueEach,         // each row, or each column, has one value
    WithoutK,             // the sum reads one element of M, or of N, for every k
    LastRowsOrColumns,    // only the last rows, the last columns or both are wrong
    MissingPhases,        // each sum has only its first, or only its last, products
    Multiple,             // a whole multiple of the right result
    NeighbouringElement,  // each element has its neighbour's value
    FractionsCutOff,      // whole numbers, as if a variable were an int
    OtherOperation,       // sums or differences of elements, or subtracted products
    OperandTwice,         // M M or N N, on the memory of M or N
    RowLength,            // rows of M, or of N, of another matrix's length
    RowsElsewhere,        // each wrong row, or column, is another one of the right result
    TileProducts,         // the first, or the last, product of each tile is missing
    Other,
};

// Returns the verdict in words, such as "never written".
const char* name(Looks looks);

struct Comparison {
    bool passed = false;
    std::size_t wrong = 0;      // elements beyond their bound
    double largestError = 0.0;  // largest |got - reference|; infinity if any got is not finite
    double itsBound = 0.0;      // the bound of that same element; 0 for exact data
    Looks looks = Looks::Right;
    std::string sentence;     // the explanation without the elements
    std::string explanation;  // a few lines; no newline after the last
};

// Fills outputs before a kernel runs: a signalling NaN with a payload that arithmetic never
// produces. The first addition to it sets its quiet bit, while a copy does not, so "never written"
// differs from "added to, but never set".
constexpr std::uint32_t kPoisonBits = 0x7FA5C0DEU;

// Returns a rows x cols matrix of poison.
Matrix poisoned(int rows, int cols);

// Returns the largest error of a float32 inner product of k terms, in any order of summation, with
// or without fused multiply-add, with the sum of the |m n| as magnitude:
//   g * magnitude, with g = (k + 1) u / (1 - (k + 1) u) and u = 2^-24
// (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 3.5; k + 1 instead of
// his k covers the rounding of the reference). Adds k * 2^-149 for products below the normal
// floats, which the theorem leaves out (ibid., section 2.1). Needs k < 2^24 - 1.
double errorBound(int k, double magnitude);

// Judges got against reference = multiply(M, N). If exact (see isExact), each element must equal
// the reference's float (-0 equals 0); otherwise each may err by errorBound. NaN and infinity never
// pass. Throws InputError if the shapes of got, M and N are not those of the reference.
Comparison compare(const Matrix& got, const Matrix& M, const Matrix& N, const Reference& reference,
                   bool exact);

}  // namespace matrix
