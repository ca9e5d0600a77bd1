// Measures rung 14 beside cuBLAS on many shapes, and the limit that both have.
#pragma once
#include <iosfwd>
#include <vector>

#include "bench/report.h"
#include "bench/timing.h"

namespace bench {

// Why a shape is in the list.
enum class Origin { square, known, course, drawn };

struct ShapeRow {
    Size size;
    Origin origin;
    // Medians in milliseconds, with inputs in the L2 cache as far as they fit, and with others.
    double cublasWarm = 0, ownWarm = 0, cublasCold = 0, ownCold = 0;
};

struct Limit {
    double gigaflops;  // of multiply-adds with registers only
    double lowestMegahertz, highestMegahertz;
};

struct ShapesResult {
    Limit limit;
    std::vector<ShapeRow> rows;
};

// Returns the shapes to measure. Those without tuning are drawn by a seed in shapes.cpp,
// which was chosen before the first measurement.
std::vector<ShapeRow> shapes();

// Ends the program with status 1 if a product is wrong or differs from run to run.
ShapesResult measureShapes(const Product& cublas, const Product& own, double l2Bytes);

void writeShapesCsv(std::ostream& out, const Card& card, const ShapesResult& result);
void writeShapesMarkdown(std::ostream& out, const Card& card, const ShapesResult& result);

}  // namespace bench
