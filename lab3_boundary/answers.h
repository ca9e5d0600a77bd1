// Lab 3, questions. Replace each UNANSWERED by your answer, then run
//   make -C lab3_boundary test PART=answers
// An answer may be an expression: 2.0 * 32 * 32. In C++, 1 / 4 is 0, but 1.0 / 4 is 0.25.
// TILE_WIDTH is 16. M is j x k, N is k x l. Most answers are compared with what your own kernel.cu
// does. Work out the answer yourself first.
#include "testing/answers.h"

// Q1. k is 100. How many phases does your kernel need?
constexpr Answer Q1_phases = UNANSWERED;

// Q2. Some programs use k / TILE_WIDTH + 1 phases. For how many values of k from 1 to 100 does this
// give a phase too many?
constexpr Answer Q2_too_many = UNANSWERED;

// Q3. M is 70 x 100, N is 100 x 50. How many loads of elements of M do all blocks make together?
constexpr Answer Q3_loads_of_M = UNANSWERED;

// Q4. M and N are as in Q3. How many loads of elements of N do all blocks make together?
constexpr Answer Q4_loads_of_N = UNANSWERED;

// Q5. M and N are 24 x 24. This is the handout's 3 x 3 example, with each size times eight. How
// many zeros are stored in the tiles of M, in all blocks and phases together?
constexpr Answer Q5_zeros = UNANSWERED;

// Q6. M and N are as in Q5. How many threads have no element of P, but still reach every barrier?
constexpr Answer Q6_idle = UNANSWERED;

// Q7. M is 1 x 100, N is 100 x 1. What percentage of the loads of the naive kernel does tiling
// save?
constexpr Answer Q7_saved = UNANSWERED;

// Q8. Width is 100. The host pads all matrices to whole tiles. By how many percent does the number
// of loads grow?
constexpr Answer Q8_padded = UNANSWERED;

// Q9. P is 100 x 100, k is 96. A warp is two rows of a block's 16 x 16 threads. How many warps of
// your kernel diverge: some of their threads load or store, and others do not?
constexpr Answer Q9_divergent = UNANSWERED;
