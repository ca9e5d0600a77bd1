// Shapes of products, and their form in messages.
#pragma once

#include <cstdint>
#include <string>

#include "testing/lab.h"
#include "testing/tile_width.h"

using lab::element;
using lab::product;

// M is j x k, N is k x l, P is j x l.
struct Shape {
    int j, k, l;
};

inline Shape shapeOf(const matrix::DataSet& set) { return {set.spec.j, set.spec.k, set.spec.l}; }

inline matrix::DataSet wholeNumbers(Shape shape) {
    return lab::integers(shape.j, shape.k, shape.l);
}

inline int tilesIn(int elements) { return (elements - 1) / tileWidth() + 1; }

inline std::string text(int n) { return std::to_string(n); }

inline std::string text(Shape shape) {
    return "M " + text(shape.j) + " x " + text(shape.k) + ", N " + text(shape.k) + " x " +
           text(shape.l);
}

// Returns the last line of a message.
inline std::string seenWith(Shape shape) {
    return "\nSeen with " + text(shape) + ", TILE_WIDTH " + text(tileWidth()) + ".";
}
