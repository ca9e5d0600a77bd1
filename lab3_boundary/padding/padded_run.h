// Calls boundedMatrixMulPadded.
#pragma once

#include <string>
#include <vector>

#include "lab3_boundary/padding/padding.h"
#include "lab3_boundary/shape.h"
#include "matrix/compare.h"
#include "testing/device.h"
#include "testing/lab.h"

inline void multiplySquare(const float* M, const float* N, float* P, int n) {
    boundedMatrixMulPadded(M, N, P, n, n, n);
}

struct PaddedRun : lab::ProductRun {
    std::vector<float> memory;  // P and the guard after it
};

// Returns a P with a guard after its rows: a copy that is too long ends in the guard.
inline PaddedRun beforeRun(matrix::DataSet set) {
    const auto [j, k, l] = shapeOf(set);
    const int guard = (tileWidth() + j + l) * tileWidth() + tileWidth();
    PaddedRun run{{std::move(set), matrix::poisoned(j, l)}, {}};
    run.memory.assign(run.P.size() + static_cast<std::size_t>(guard), -1.0f);
    std::copy(run.P.data(), run.P.data() + run.P.size(), run.memory.data());
    device::describeMatrix(run.memory.data(), j, l);
    return run;
}

inline void multiply(PaddedRun& run) {
    const auto [j, k, l] = shapeOf(run.set);
    boundedMatrixMulPadded(run.set.M.data(), run.set.N.data(), run.memory.data(), j, k, l);
}

// Blames TODO(1) for a run that ends early if the kernel gets numbers of tiles as sizes.
inline void blameNumbersOfTiles([[maybe_unused]] Shape shape) {
#ifdef CUDA_SIMULATED_DEVICE
    if (cusim::launches().empty()) return;
    const std::int64_t K = tilesIn(shape.k), L = tilesIn(shape.l);
    if (cusim::launches().back().numbers != std::vector<std::int64_t>{K, L}) return;
    lab::beginWith(Todo(1));
    lab::addToEnd(
        lab::filled("The kernel gets K = {} and L = {}. These are numbers of tiles. In {},\n"
                    "multiply them by TILE_WIDTH: J, K and L count elements.{}",
                    K, L, Todo(1), seenWith(shape))
            .words);
#endif
}

// Runs the function; fails the test if it writes past the end of P.
inline PaddedRun runPadded(const lab::Text& about, matrix::DataSet set,
                           const std::vector<std::string>& leftToOtherTests = {}) {
    const Shape shape = shapeOf(set);
    PaddedRun run = beforeRun(std::move(set));
    std::vector<float>& P = run.memory;
    const std::size_t size = run.P.size();
    try {
        lab::runIgnoring(lab::andLeaks(leftToOtherTests), lab::filled("{}, {}", about, text(shape)),
                         lab::gives(P).from(run.set.M, run.set.N), [&] { multiply(run); });
    } catch (...) {
        blameNumbersOfTiles(shape);
        throw;
    }
    std::copy(P.data(), P.data() + size, run.P.data());
    for (std::size_t i = size; i < P.size(); ++i)
        if (P[i] != -1.0f) {
            lab::beginWith(Todo(4));
            const std::string pitch = wrongPitchOfP(shape.l);
            lab::fail(
                "copied-too-much", Todo(4),
                "memory after the end of P on the host is overwritten.{}{}",
                pitch.empty() ? "\nP has j x l floats, but the padded product is larger." : pitch,
                seenWith(shape));
        }
    return run;
}
