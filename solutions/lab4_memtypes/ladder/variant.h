// The tiles among which rung 14 chooses, each with its launch.
#pragma once

struct Variant {
    int rows, cols, depth;
    int (*blocksThatFit)();
    // Launches blocks of which sharers share the first tiles.
    void (*launch)(const float* M, const float* N, float* P, int j, int k, int l, int blocks,
                   int shared, int sharers);
};

constexpr int kVariants = 12;
extern const Variant alignedVariants[kVariants], unalignedVariants[kVariants];
