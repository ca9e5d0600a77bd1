// Holds products to the reads that tiles take, so that a kernel that fills tiles if loads are
// counted computes from tiles in every test that asks for a product.
#pragma once

#include "testing/lab.h"

namespace lab {

// Notes of each input, M and N, whether the last call's first launch loads it no more often than
// tiles of this width take. From then on each right product of the program fails its test where
// more is read than tiles take; of an input that was never loaded so, each product may load its own
// element. Returns false where both are loaded more often. For tests that count loads, or the
// barriers that tiles need, with CountElements.
bool holdToTiles(const matrix::DataSet& set, int tileWidth);

}  // namespace lab
