// Declares subMatrixMul with other widths of a tile (see program.mk).
#pragma once

#include "testing/other_widths_sim.h"

void subMatrixMul8(const float* M, int ldm, const float* N, int ldn, float* P, int ldp, int j,
                   int k, int l) asm("_Z12subMatrixMulPKfiS0_iPfiiii.8");
void subMatrixMul32(const float* M, int ldm, const float* N, int ldn, float* P, int ldp, int j,
                    int k, int l) asm("_Z12subMatrixMulPKfiS0_iPfiiii.32");
void columnMajorMatrixMul8(const float* M, int ldm, const float* N, int ldn, float* P, int ldp,
                           int j, int k, int l) asm("_Z20columnMajorMatrixMulPKfiS0_iPfiiii.8");
void columnMajorMatrixMul32(const float* M, int ldm, const float* N, int ldn, float* P, int ldp,
                            int j, int k, int l) asm("_Z20columnMajorMatrixMulPKfiS0_iPfiiii.32");

inline void expectOtherWidths(const lab::Text& about) {
    const auto with = [](auto* multiply) {
        return [=](const float* M, const float* N, float* P, int n) {
            multiply(M, n, N, n, P, n, n, n, n);
        };
    };
    lab::expectOtherWidths(about, 40, with(subMatrixMul8), with(subMatrixMul32));
}

// The transpose of a product is that of the transposed matrices in the other order.
inline void expectOtherWidthsByColumns(const lab::Text& about) {
    const auto with = [](auto* multiply) {
        return [=](const float* M, const float* N, float* P, int n) {
            multiply(N, n, M, n, P, n, n, n, n);
        };
    };
    lab::expectOtherWidths(about, 40, with(columnMajorMatrixMul8), with(columnMajorMatrixMul32));
}
