// Calls tiledMatrixMul. The tests know of a kernel only what this call does, so that any correct
// kernel passes, with any block, shared arrays or loops.
#pragma once

#include <string>
#include <vector>

#include "lab2_tiled/lab2.h"
#include "matrix/compare.h"
#include "testing/lab.h"
#include "testing/tile_width.h"

struct TiledRun {
    matrix::DataSet set;
    matrix::Matrix P;
};

inline TiledRun runTiled(const std::string& todo, matrix::DataSet set,
                         const std::vector<std::string>& leftToOtherTests = {}) {
    const int Width = set.spec.j;
    TiledRun run{std::move(set), matrix::poisoned(Width, Width)};
    lab::runIgnoring(
        leftToOtherTests, todo,
        [&] { tiledMatrixMul(run.set.M.data(), run.set.N.data(), run.P.data(), Width); },
        lab::gives(run.P).from(run.set.M, run.set.N));
    return run;
}

inline matrix::DataSet wholeNumbers(int Width) { return lab::integers(Width, Width, Width); }

inline matrix::DataSet fractions(int Width) {
    const auto pattern = matrix::Pattern::Uniform;
    return lab::build(
        {matrix::setName(Width, Width, Width, pattern), Width, Width, Width, pattern, 2});
}
