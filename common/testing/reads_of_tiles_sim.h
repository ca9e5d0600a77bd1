// Limits products to the reads that tiles need, so that a kernel that fills tiles if loads are
// counted computes from tiles in every test of a product.
#pragma once

#include "testing/lab.h"

namespace lab {

// Notes for each input, M and N, whether the last call's first launch loads it no more often than
// tiles of this width need. From then on each right product of the program fails its test if more
// is read than tiles need; of an input that was never loaded so, each product may load its own
// element. Returns false if both are loaded more often. For tests that count loads, or the barriers
// that tiles need, with CountElements.
bool holdToTiles(const matrix::DataSet& set, int tileWidth);

}  // namespace lab
