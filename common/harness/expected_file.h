#pragma once

#include "harness/product_set.h"
#include "matrix/reference.h"

namespace harness {

// Throws matrix::InputError where the expected product of a set, if it has one, is not M N: a
// stale or transposed file would fail every right kernel. Where all its values were printed with
// one to six decimals, half a unit of the last decimal is allowed on top of compare()'s bound.
void checkExpected(const ProductSet& set, const matrix::Reference& reference);

}  // namespace harness
