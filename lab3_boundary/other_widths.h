// Declares boundedMatrixMul with other widths of a tile (see program.mk).
#pragma once

#include "testing/other_widths_sim.h"

void boundedMatrixMul8(const float* M, const float* N, float* P, int j, int k,
                       int l) asm("_Z16boundedMatrixMulPKfS0_Pfiii.8");
void boundedMatrixMul32(const float* M, const float* N, float* P, int j, int k,
                        int l) asm("_Z16boundedMatrixMulPKfS0_Pfiii.32");

inline void expectOtherWidths(const lab::Text& about) {
    const auto with = [](auto* multiply) {
        return [=](const float* M, const float* N, float* P, int n) { multiply(M, N, P, n, n, n); };
    };
    lab::expectOtherWidths(about, 40, with(boundedMatrixMul8), with(boundedMatrixMul32));
}
