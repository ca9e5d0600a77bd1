// Shapes of products, and their form in messages.
#pragma once

#include <cstdint>
#include <string>

#include "testing/lab.h"
#include "testing/tile_width.h"

using lab::element;
using lab::product;
using lab::Shape;
using lab::shapeOf;
using lab::text;

inline int tilesIn(int elements) { return (elements - 1) / tileWidth() + 1; }

// Returns the last line of a message.
inline std::string seenWith(Shape shape) {
    return lab::filled("\nSeen with {}, TILE_WIDTH {}.", text(shape), tileWidth());
}
