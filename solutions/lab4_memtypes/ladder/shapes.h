// The shapes of tiles among which rung 14 chooses, large to small, and flat and narrow ones.
#pragma once
#include "shares.h"
#include "variant.h"

//                          lanes and sums of a thread, warps of a block, blocks per SM (bursts)
template <int CopyWidth>
using Tile128x256 = Shape<4, 16, 8, 2, 4, 1, CopyWidth, 2>;
template <int CopyWidth>
using Tile256x128 = Shape<4, 16, 8, 4, 2, 1, CopyWidth, 2>;
template <int CopyWidth>
using Tile128x128 = Shape<4, 16, 8, 2, 2, 2, CopyWidth, 2>;
template <int CopyWidth>
using Tile64x128 = Shape<4, 8, 8, 2, 2, 3, CopyWidth>;
template <int CopyWidth>
using Tile128x64 = Shape<4, 8, 8, 4, 1, 3, CopyWidth>;
template <int CopyWidth>
using Tile64x64 = Shape<4, 8, 4, 2, 2, 4, CopyWidth>;
template <int CopyWidth>
using Tile32x256 = Shape<4, 8, 8, 1, 4, 3, CopyWidth>;
template <int CopyWidth>
using Tile16x256 = Shape<4, 4, 8, 1, 4, 4, CopyWidth>;
template <int CopyWidth>
using Tile8x256 = Shape<2, 4, 4, 1, 4, 4, CopyWidth>;
template <int CopyWidth>
using Tile256x16 = Shape<8, 8, 4, 4, 1, 3, CopyWidth>;
template <int CopyWidth>
using Tile256x8 = Shape<16, 4, 4, 4, 1, 3, CopyWidth>;
template <int CopyWidth>
using Tile32x32 = Shape<4, 4, 4, 2, 1, 8, CopyWidth>;

template <class S>
Variant variant() {
    return {S::rows, S::cols, S::depth, blocksThatFit<S>, launchShares<S>};
}
