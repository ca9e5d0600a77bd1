// Calls a step's function, for tests of its values.
#pragma once

#include <cuda_runtime.h>

#include <string>
#include <vector>

#include "lab4_memtypes/pipeline/pipeline.h"
#include "testing/device.h"
#include "testing/lab.h"
#ifdef CUDA_SIMULATED_DEVICE
#include "testing/lab_sim.h"
#endif

namespace pipeline {

constexpr int kTile = 16;

// Runs a product of Width x Width. A kernel with one barrier per phase, and in step 1 with one
// more, gets no advice to add one.
inline lab::ProductRun run(const lab::Text& about, Multiply* multiply, matrix::DataSet set,
                           const std::vector<std::string>& leftToOtherTests = {}) {
    const int Width = set.spec.j;
#ifdef CUDA_SIMULATED_DEVICE
    const lab::ChosenOptions chosen;
    cusim::options().enoughBarriers =
        static_cast<std::uint64_t>(Width / kTile) + (multiply != asyncMatrixMul);
#endif
    return lab::runProduct(leftToOtherTests, about, std::move(set),
                           [&](auto... matrices) { multiply(matrices..., Width); });
}

// Fails the test unless the product of so many phases is right.
inline void expectRight(const lab::Text& about, Multiply* multiply, int phases) {
    lab::expectProduct(about, run(about, multiply, lab::integers(lab::square(phases * kTile))));
}

// Fails the test unless even and odd numbers of phases are right, more than a char counts, and
// fractions.
inline void expectRightForManyPhases(const lab::Text& about, Multiply* multiply) {
    const device::WithoutWarps withoutWarps;
    for (const int phases : {1, 2, 3, 4, 7}) expectRight(about, multiply, phases);
    lab::expectProduct(about, run(about, multiply, lab::fractions(lab::square(5 * kTile))));
    lab::expectLastTile(about, kTile, kTile, multiply);
}

}  // namespace pipeline
