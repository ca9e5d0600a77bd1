// Attack: to read the tiles by a function of the C++ library, unseen by the race check.
// Remark: kernel code calls std::
#include "unseen.h"

// Here: build/mistakes/lab2_tiled/kernel/second_barrier_missing.cu
// Instead of: Mds[ty][k] * Nds[k][tx]
// Comes: unseen(&Mds[ty][k]) * unseen(&Nds[k][tx])
