// Lab 2, questions. Put your answer in the place of each UNANSWERED and run
//   make -C lab2_tiled test PART=answers
// A number may be an expression: 2.0 * 32 * 32. Mind that 1 / 4 is 0 in C++, and 1.0 / 4 is not.
// TILE_WIDTH is 16 unless a question says otherwise. Most answers are compared with what your own
// kernel.cu does: count first, then let it show you.
#include "testing/answers.h"

// Q1. Width is 64. How often is each element of M needed, that is, loaded by a kernel without
// tiles?
constexpr Answer Q1_untiled = UNANSWERED;

// Q2. How often does your tiled kernel load it?
constexpr Answer Q2_tiled = UNANSWERED;

// Q3. What percentage of the loads is left?
constexpr Answer Q3_percent = UNANSWERED;

// Q4. Width is 64. How many loads from global memory does one block make, in all of its phases?
constexpr Answer Q4_block = UNANSWERED;

// Q5. A device loads 150 GB/s from global memory. How many GFLOP/s does that allow your kernel?
constexpr Answer Q5_at_150 = UNANSWERED;

// Q6. And a GeForce 8800 GTX, with 86.4 GB/s?
constexpr Answer Q6_at_86 = UNANSWERED;

// Q7. The device of Q5 could do 1,000 GFLOP/s. Which is the smallest TILE_WIDTH, of 2, 4, 8, 16,
// 32 and so on, with which its global memory no longer stands in the way?
constexpr Answer Q7_enough = UNANSWERED;

// Q8. A block has at most 1,024 threads, one for each element of a tile. How large can TILE_WIDTH
// be?
constexpr Answer Q8_largest = UNANSWERED;

// Q9. transposeKernel of answers/given.cu is printed in the textbook without its barrier, for any
// BLOCK_WIDTH from 1 to 20. Up to which one is it right, whatever the order of its threads?
constexpr Answer Q9_for_sure = UNANSWERED;

// Q10. On a GPU whose warps of 32 threads go in lockstep (older ones did): up to which BLOCK_WIDTH
// does it happen to work there?
constexpr Answer Q10_by_luck = UNANSWERED;

// Q11. The 32 threads of a warp read down a column of a shared array whose rows are 40 words long.
// How many passes over the banks does that take?
constexpr Answer Q11_passes = UNANSWERED;
