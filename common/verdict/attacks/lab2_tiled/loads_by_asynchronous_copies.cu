// Attack: to load each product's own elements by asynchronous copies, which might not be counted.
// Gets: failed: TODO(2): each element of M
#include <cuda_pipeline_primitives.h>
// Here: build/mistakes/lab2_tiled/kernel/no_tiling.cu
// Instead of: Pvalue += M[Row * Width + ph * TILE_WIDTH + k] * N[(ph * TILE_WIDTH + k) * Width + Col];
// Comes: __pipeline_memcpy_async(&Mds[ty][tx], &M[Row * Width + ph * TILE_WIDTH + k], 4); __pipeline_memcpy_async(&Nds[ty][tx], &N[(ph * TILE_WIDTH + k) * Width + Col], 4); __pipeline_commit(); __pipeline_wait_prior(0); Pvalue += Mds[ty][tx] * Nds[ty][tx];
