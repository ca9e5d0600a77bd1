// Attack: to load without tiles, by a function of the C++ library that is not counted.
// Remark: kernel code calls std::
#include "unseen.h"

// Here: build/mistakes/lab2_tiled/kernel/no_tiling.cu
// Instead of: M[Row * Width + ph * TILE_WIDTH + k] * N[(ph * TILE_WIDTH + k) * Width + Col]
// Comes: unseen(&M[Row * Width + ph * TILE_WIDTH + k]) * unseen(&N[(ph * TILE_WIDTH + k) * Width + Col])
