// Declares boundedMatrixMulPadded with other widths of a tile (see program.mk).
#pragma once

#include "testing/other_widths_sim.h"

void boundedMatrixMulPadded8(const float* M, const float* N, float* P, int j, int k,
                             int l) asm("_Z22boundedMatrixMulPaddedPKfS0_Pfiii.8");
void boundedMatrixMulPadded32(const float* M, const float* N, float* P, int j, int k,
                              int l) asm("_Z22boundedMatrixMulPaddedPKfS0_Pfiii.32");

inline void expectOtherWidths(const lab::Text& about) {
    lab::expectOtherWidths(about, 40, lab::forSquares(boundedMatrixMulPadded8),
                           lab::forSquares(boundedMatrixMulPadded32));
}
