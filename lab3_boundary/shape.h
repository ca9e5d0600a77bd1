// Shapes of products, and their form in messages.
#pragma once

#include <cstdint>
#include <string>

#include "testing/lab.h"
#include "testing/tile_width.h"

// M is j x k, N is k x l, P is j x l.
struct Shape {
    int j, k, l;
};

inline Shape shapeOf(const matrix::DataSet& set) { return {set.spec.j, set.spec.k, set.spec.l}; }

inline matrix::DataSet wholeNumbers(Shape shape) {
    return lab::integers(shape.j, shape.k, shape.l);
}

inline int tilesIn(int elements) { return (elements - 1) / tileWidth() + 1; }

inline std::uint64_t product(int a, int b, int c = 1) {
    return static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b) *
           static_cast<std::uint64_t>(c);
}

inline std::string text(int n) { return std::to_string(n); }

inline std::string text(Shape shape) {
    return "M " + text(shape.j) + " x " + text(shape.k) + ", N " + text(shape.k) + " x " +
           text(shape.l);
}

// Returns the last line of a message.
inline std::string seenWith(Shape shape) {
    return "\nSeen with " + text(shape) + ", TILE_WIDTH " + text(tileWidth()) + ".";
}

// Returns an element's name: "M[2][0]"
inline std::string element(const std::string& matrixName, int row, int col) {
    return matrixName + "[" + text(row) + "][" + text(col) + "]";
}
