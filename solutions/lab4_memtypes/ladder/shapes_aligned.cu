// The kernels of all shapes if rows of N are aligned.
#include "shapes.h"

const Variant alignedVariants[kVariants] = {
    variant<Tile128x256<4>>(), variant<Tile256x128<4>>(), variant<Tile128x128<4>>(),
    variant<Tile64x128<4>>(),  variant<Tile128x64<4>>(),  variant<Tile64x64<4>>(),
    variant<Tile32x256<4>>(),  variant<Tile16x256<4>>(),  variant<Tile8x256<4>>(),
    variant<Tile256x16<4>>(),  variant<Tile256x8<4>>(),   variant<Tile32x32<4>>()};
