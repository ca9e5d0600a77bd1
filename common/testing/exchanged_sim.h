// Recognizes a launch with its two parameters in the wrong order, <<<block, grid>>>. It looks like
// a wrong number of blocks, and is right for some sizes.
#pragma once

#include <string>

#include "simulator/simulator.h"

namespace lab {

// Returns a question to append to a report of a wrong launch, which should have one thread for each
// element of `columns` x `rows`. Empty if the other order would not make the launch right either.
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
