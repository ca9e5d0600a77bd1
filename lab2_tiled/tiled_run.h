// Calls tiledMatrixMul. The tests know of a kernel only what this call does, so that any correct
// kernel passes, with any block, shared arrays or loops.
#pragma once

#include <cuda_runtime.h>

#include <string>
#include <vector>

#include "lab2_tiled/lab2.h"
#include "matrix/compare.h"
#include "testing/lab.h"
#ifdef CUDA_SIMULATED_DEVICE
#include "testing/lab_sim.h"

// Returns the width of the kernel's tiles, even if the file has its own width.
inline int tileWidth() {
    static const int width = lab::launchedTileWidth(tiledMatrixMul);
    return width;
}
#else
#include "testing/tile_width.h"
#endif

inline lab::ProductRun runTiled(const lab::Text& about, matrix::DataSet set,
                                const std::vector<std::string>& leftToOtherTests = {}) {
    const int Width = set.spec.j;
    return lab::runProduct(lab::andLeaks(leftToOtherTests), about, std::move(set),
                           [&](auto... matrices) { tiledMatrixMul(matrices..., Width); });
}
