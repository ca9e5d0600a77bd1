#pragma once

// Computes P = M N on the host.
static void multiplyOnTheHost(const float* M, const float* N, float* P, int Width) {
    for (int row = 0; row < Width; ++row)
        for (int col = 0; col < Width; ++col) {
            float sum = 0.0f;
            for (int k = 0; k < Width; ++k) sum += M[row * Width + k] * N[k * Width + col];
            P[row * Width + col] = sum;
        }
}
