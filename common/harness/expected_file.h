#pragma once

#include "harness/product_set.h"
#include "matrix/reference.h"

namespace harness {

// Checks the expected product of a set, if it has one, against M N: a stale or transposed file
// would fail every right kernel. Allows half a unit of the last decimal on top of compare()'s bound
// if all values have one to six decimals. Throws matrix::InputError if they differ.
void checkExpected(const ProductSet& set, const matrix::Reference& reference);

}  // namespace harness
