// Declares boundedMatrixMul with other widths of a tile (see program.mk).
#pragma once

#include "testing/other_widths_sim.h"

void boundedMatrixMul8(const float* M, const float* N, float* P, int j, int k,
                       int l) asm("_Z16boundedMatrixMulPKfS0_Pfiii.8");
void boundedMatrixMul32(const float* M, const float* N, float* P, int j, int k,
                        int l) asm("_Z16boundedMatrixMulPKfS0_Pfiii.32");

inline void expectOtherWidths(const lab::Text& about) {
    lab::expectOtherWidths(about, 40, lab::forSquares(boundedMatrixMul8),
                           lab::forSquares(boundedMatrixMul32));
}
