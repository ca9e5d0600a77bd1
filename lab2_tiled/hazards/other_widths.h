// Declares draftMatrixMul with other widths of a tile (see program.mk).
#pragma once

#include "testing/other_widths_sim.h"

void draftMatrixMul8(const float* M, const float* N, float* P,
                     int Width) asm("_Z14draftMatrixMulPKfS0_Pfi.8");
void draftMatrixMul32(const float* M, const float* N, float* P,
                      int Width) asm("_Z14draftMatrixMulPKfS0_Pfi.32");

inline void expectOtherWidths(const lab::Text& about) {
    lab::expectOtherWidths(about, 64, draftMatrixMul8, draftMatrixMul32);
}
