// Lab 3, the answers.
#include "testing/answers.h"

// (100 - 1) / 16 + 1, in whole numbers.
constexpr Answer Q1_phases = 7;

// Where 16 divides k: 16, 32, 48, 64, 80, 96.
constexpr Answer Q2_too_many = 6;

// Every element once for each of ceil(l / 16) = 4 columns of blocks.
constexpr Answer Q3_loads_of_M = 70.0 * 100 * 4;

// Every element once for each of ceil(j / 16) = 5 rows of blocks.
constexpr Answer Q4_loads_of_N = 100.0 * 50 * 5;

// Four blocks with two phases fill 8 tiles of 16 x 16. Every element of M is loaded twice.
constexpr Answer Q5_zeros = 8.0 * 16 * 16 - 24.0 * 24 * 2;

// 32 x 32 threads for 24 x 24 elements.
constexpr Answer Q6_idle = 32.0 * 32 - 24.0 * 24;

// One element of P: no other thread shares it.
constexpr Answer Q7_saved = 0;

// 2 x Width^2 x ceil(Width / 16) loads; the blocks are as many in both cases.
constexpr Answer Q8_padded = 100 * (112.0 * 112 / (100.0 * 100) - 1);

// 100 = 6 x 16 + 4. In the 7 blocks at the right edge, 4 threads of each row load from N and the
// other 12 do not: all 8 warps. At the lower edge 4 rows of 16 lie inside P: whole warps.
constexpr Answer Q9_divergent = 7.0 * 8;
