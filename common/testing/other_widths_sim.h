// Tests a product with other widths of a tile than the one with which make compiles the file.
#pragma once

#include "testing/lab.h"

namespace lab {

// Fails the running test unless products of this Width are right with TILE_WIDTH 8 and 32, too.
// Both calls are those of a function as program.mk compiles it once more: its name ends in .8 or
// .32. Judges nothing if the device refuses the launch. Call it after a right product.
void expectOtherWidths(const Text& about, int Width, const SquareMultiply& with8,
                       const SquareMultiply& with32);

// Returns the calls for square matrices of a function that takes j, k and l.
inline SquareMultiply forSquares(void (*multiply)(const float*, const float*, float*, int, int,
                                                  int)) {
    return [=](const float* M, const float* N, float* P, int n) { multiply(M, N, P, n, n, n); };
}

}  // namespace lab
