// Tries: to take the place of the comparison.
// Gets: refused: defines matrix::compare
#include "unsolved.h"

namespace matrix {
class Matrix;
struct Reference;
struct Comparison;
Comparison* compare(const Matrix&, const Matrix&, const Matrix&, const Reference&, bool) {
    return nullptr;
}
}  // namespace matrix
