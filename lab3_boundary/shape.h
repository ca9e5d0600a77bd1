// Shapes of products, and their form in messages.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <string>

#include "testing/lab.h"
#ifdef CUDA_SIMULATED_DEVICE
#include "testing/lab_sim.h"
#else
#include "testing/tile_width.h"
#endif

using lab::element;
using lab::product;
using lab::Shape;
using lab::shapeOf;
using lab::text;

#ifdef CUDA_SIMULATED_DEVICE
// Multiplies two n x n matrices by the part's function.
inline void multiplySquare(const float* M, const float* N, float* P, int n);

// Returns the width of the part's tiles, even if the file has its own width.
inline int tileWidth() {
    static const int width = lab::launchedTileWidth(multiplySquare);
    return width;
}
#endif

inline int tilesIn(int elements) { return lab::tilesIn(elements, tileWidth()); }

// Returns the last line of a message.
inline std::string seenWith(Shape shape) {
    return lab::filled("\nSeen with {}, TILE_WIDTH {}.", text(shape), tileWidth());
}

// Returns that rows of P are copied to the host at another distance than they have there; empty if
// they are not, or are copied in one piece.
inline std::string wrongPitchOfP([[maybe_unused]] int floats) {
#ifdef CUDA_SIMULATED_DEVICE
    const float* before = nullptr;
    for (const cusim::StreamStep& step : cusim::streamSteps()) {
        if (step.what != cusim::StreamStep::CopyOut) continue;
        const auto* const row = static_cast<const float*>(step.host);
        if (before && (row - before) % floats != 0)
            return lab::filled(
                "\nThe rows of P are copied to the host {} floats apart, but they lie {} floats\n"
                "apart there: see the pitch of the target.",
                row - before, floats);
        before = row;
    }
#endif
    return "";
}

#ifdef CUDA_SIMULATED_DEVICE
struct Size {
    const char* name;
    int value;
};

// Fails the test, and blames no step, if a launch has another block than a tile takes, or passes
// other sizes to this kernel. For products that are wrong. Ignores blocks whose threads may compute
// several elements of a tile each.
inline void expectLaunchOf(const cusim::LaunchReport& launch, const std::string& kernel,
                           const std::vector<Size>& sizes, Shape shape) {
    const auto T = static_cast<unsigned>(tileWidth());
    const dim3& block = launch.block;
    const unsigned threads = block.x * block.y * block.z;
    const bool severalEach = threads >= 32 && T * T % threads == 0;
    if ((block.x != T || block.y != T) && !severalEach)
        lab::failOfNoStep("block-size",
                          "{}: a block has {} x {} threads, but a tile has {} x {}\nelements. "
                          "See dimBlock, and the launch parameters in line {}.{}{}",
                          launch.kernel, block.x, block.y, T, T, launch.at.line,
                          lab::ifExchanged(launch, shape.l, shape.j), seenWith(shape));
    std::string passed, wanted;
    if (launch.kernel != kernel || launch.numbers.size() != sizes.size()) return;
    bool same = true;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        same &= launch.numbers[i] == sizes[i].value;
        const std::string comma = i == 0 ? "" : ", ";
        passed += comma + std::to_string(launch.numbers[i]);
        wanted += comma + sizes[i].name + " = " + std::to_string(sizes[i].value);
    }
    if (!same)
        lab::failOfNoStep("wrong-argument",
                          "{}: from the launch in line {} it gets {}\ninstead of {}.{}",
                          launch.kernel, launch.at.line, passed, wanted, seenWith(shape));
}
#endif
