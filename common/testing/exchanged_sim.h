// Whether a launch has its two parameters in the wrong order, <<<block, grid>>>. That looks like a
// wrong number of blocks, and is right for some sizes.
#pragma once

#include <string>

#include "simulator/simulator.h"

namespace lab {

// A question to put behind what is said of a wrong launch, one thread an element of so many columns
// and rows: empty where the other order would not make it right either.
inline std::string ifExchanged(const cusim::LaunchReport& launch, int columns, int rows) {
    const auto blocksFor = [](int elements, unsigned threads) {
        return (static_cast<unsigned>(elements) + threads - 1) / threads;
    };
    const dim3 &grid = launch.grid, &block = launch.block;
    const bool right = grid.z == 1 && block.z == 1 && grid.x > 0 && grid.y > 0 &&
                       block.x == blocksFor(columns, grid.x) && block.y == blocksFor(rows, grid.y);
    return right ? "\nThe grid comes first: is it kernel<<<grid, block>>>(...)?" : "";
}

}  // namespace lab
