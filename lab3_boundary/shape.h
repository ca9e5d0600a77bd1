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

// Returns the width of the part's tiles, also where the file has a width of its own.
inline int tileWidth() {
    static const int width = lab::launchedTileWidth(multiplySquare);
    return width;
}
#endif

inline int tilesIn(int elements) { return (elements - 1) / tileWidth() + 1; }

// Returns the last line of a message.
inline std::string seenWith(Shape shape) {
    return lab::filled("\nSeen with {}, TILE_WIDTH {}.", text(shape), tileWidth());
}
