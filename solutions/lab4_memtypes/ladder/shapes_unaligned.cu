// The kernels of all shapes if rows of N are unaligned.
#include "shapes.h"

const Variant unalignedVariants[kVariants] = {
    variant<Tile128x256<1>>(), variant<Tile256x128<1>>(), variant<Tile128x128<1>>(),
    variant<Tile64x128<1>>(),  variant<Tile128x64<1>>(),  variant<Tile64x64<1>>(),
    variant<Tile32x256<1>>(),  variant<Tile16x256<1>>(),  variant<Tile8x256<1>>(),
    variant<Tile256x16<1>>(),  variant<Tile256x8<1>>(),   variant<Tile32x32<1>>()};
