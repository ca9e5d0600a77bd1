// Judges by the simulated device's counts that everything is done once.
#pragma once

#include "lab3_boundary/submatrix/parts.h"

// Fails the test if subMatrixMul stores more than the part's elements, takes more phases, blocks
// or launches than they need, or does not notice that a call fails.
inline void expectOnce(const Todo& todo, Shape shape) {
    const matrix::DataSet set = lab::integers(shape);
    const int ldp = shape.l + 3;
    // The memory ends with the last row.
    matrix::Matrix P = matrix::poisoned(1, static_cast<int>(product(shape.j - 1, ldp)) + shape.l);
    const lab::Outputs outputs = lab::gives(P).from(set.M, set.N);
    const auto multiply = [&] {
        subMatrixMul(set.M.data(), shape.k, set.N.data(), shape.l, P.data(), ldp, shape.j, shape.k,
                     shape.l);
    };
    lab::runIgnoring(lab::andLeaks(), todo, outputs, multiply);
    const auto& launch = lab::launchOf(todo);
    lab::expectOneLaunch(todo, "all of P");
    const std::uint64_t stores = launch.global().storedBytes / sizeof(float);
    if (stores != product(shape.j, shape.l))
        lab::fail("store-count", todo,
                  "{} for {} of P. Store each sum once,\nafter the loop over the phases.{}",
                  lab::count(stores, "store"), lab::count(product(shape.j, shape.l), "element"),
                  seenWith(shape));
    const auto width = static_cast<unsigned>(tileWidth());
    lab::expectNoIdleBlocks("subMatrixMul", launch, shape.l, shape.j, dim3(width, width));
    // The floats of all tiles: an index that is clamped to its matrix may load each.
    const int phases = tilesIn(shape.k), T = tileWidth();
    const std::uint64_t tiles = 2 * product(tilesIn(shape.j), tilesIn(shape.l), phases);
    const std::uint64_t loads = lab::floatsRead(launch.global());
    if (loads > tiles * product(T, T))
        lab::fail("load-count", todo,
                  "{}, but all blocks together load {} tiles of {} floats.\nLoad each element of a "
                  "tile once.{}",
                  lab::count(loads, "load"), tiles, product(T, T), seenWith(shape));
    if (launch.barriersPerThread > 2 * static_cast<unsigned>(phases)) {
        // A thread reads a row and a column of the tiles in each phase.
        const std::uint64_t reads = launch.threads * product(2, T);
        const bool noMore = launch.shared().loads == reads * static_cast<unsigned>(phases);
        const bool more = !noMore && launch.shared().loads % reads == 0;
        lab::fail(
            "too-many-barriers",
            "subMatrixMul: a thread executes {}. For k = {},\n{} with two barriers each are "
            "enough. {}{}",
            lab::count(launch.barriersPerThread, "barrier"), shape.k, lab::count(phases, "phase"),
            noMore ? "Put one after the\nloads and one after the products, none inside their loop."
            : more ? "An additional\nphase adds only zeros."
                   : "Is one inside\na loop, or is there an additional phase?",
            seenWith(shape));
    }
    lab::expectCallsChecked("subMatrixMul", outputs, multiply);
}
