// Tells a tile without __shared__, which a wrong product does not show. A card counts nothing.
#pragma once

#include "lab3_boundary/shape.h"
#ifdef CUDA_SIMULATED_DEVICE
#include "testing/lab_sim.h"
#endif

// Fails the test if a block of the last call has shared memory, but less than two tiles take.
inline void expectTwoTiles([[maybe_unused]] const lab::Text& about) {
#ifdef CUDA_SIMULATED_DEVICE
    if (cusim::launches().empty()) return;
    const auto& launch = cusim::launches().front();
    const std::size_t bytes = launch.staticSharedBytes + launch.dynamicSharedBytes;
    const std::size_t wanted = 2 * std::size_t{launch.block.x} * launch.block.y * sizeof(float);
    if (bytes == 0 || bytes >= wanted || launch.block.x != launch.block.y) return;
    lab::failOfNoStep("shared-memory",
                      "{}: a block takes {} of shared memory, but two\ntiles of floats take {}. "
                      "Is each declared with __shared__ and as float?\nWithout __shared__ each "
                      "thread has its own array, and no other thread\ncan read it.",
                      about, lab::count(bytes, "byte"), lab::grouped(wanted));
#endif
}
