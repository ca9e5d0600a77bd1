// Attack: to switch the race check off, by the symbols in the program's own file.
// Remark: opens files
#include "find_symbol.h"
// Here: build/mistakes/lab2_tiled/kernel/second_barrier_missing.cu

void tiledMatrixMul(const float* M, const float* N, float* P, int Width);

struct AtStart {
    AtStart() {
        char* const options = find("_ZN5cusim7optionsEv", "_Z14tiledMatrixMulPKfS0_Pfi",
                                   reinterpret_cast<void*>(tiledMatrixMul));
        if (!options) return;
        // The options in order: counters, races, unset, warps.
        bool* const checks = reinterpret_cast<bool* (*)()>(options)();
        checks[1] = false;
    }
} atStart;
