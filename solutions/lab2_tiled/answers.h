// Lab 2, the answers.
#include "testing/answers.h"

// Each element of M enters a whole row of P: Width elements.
constexpr Answer Q1_untiled = 64;

// Each row of blocks needs it, and has Width / TILE_WIDTH blocks, of which each loads it once.
constexpr Answer Q2_tiled = 64.0 / 16;

// 1 / TILE_WIDTH.
constexpr Answer Q3_percent = 100 * Q2_tiled / Q1_untiled;

// Two tiles of 16 x 16 in each of Width / 16 phases.
constexpr Answer Q4_block = 2.0 * 16 * 16 * (64 / 16);

// The ratio is TILE_WIDTH: each load of 4 bytes carries so many operations.
constexpr Answer Q5_at_150 = 150.0 / 4 * 16;
constexpr Answer Q6_at_86 = 86.4 / 4 * 16;

// 37.5 GFLOP/s for each of TILE_WIDTH: 600 with 16 are too few, 1,200 with 32 suffice.
constexpr Answer Q7_enough = 32;

// The square root of 1,024.
constexpr Answer Q8_largest = 32;

// A thread reads what another one writes, but for those on the diagonal. Only a block of one thread
// has no others.
constexpr Answer Q9_for_sure = 1;

// 5 x 5 = 25 threads are one warp, 6 x 6 = 36 are two.
constexpr Answer Q10_by_luck = 5;

// 40 % 32 = 8: the words lie in banks 0, 8, 16, 24, 0, ... Four banks for 32 threads.
constexpr Answer Q11_passes = 32.0 / 4;

// Each multiply-add reads a word of Mds and one of Nds. 32 reads are enough for 16 of the 128.
constexpr Answer Q12_arithmetic = 100.0 * (32 / 2) / 128;
