// Lab 3, questions. Put your answer in the place of each UNANSWERED and run
//   make -C lab3_boundary test PART=answers
// A number may be an expression: 2.0 * 32 * 32. Mind that 1 / 4 is 0 in C++, and 1.0 / 4 is not.
// TILE_WIDTH is 16. M is j x k, N is k x l. Most answers are compared with what your own kernel.cu
// does: count first, then let it show you.
#include "testing/answers.h"

// Q1. k is 100. How many phases does your kernel need?
constexpr Answer Q1_phases = UNANSWERED;

// Q2. Some write k / TILE_WIDTH + 1. For how many of the k from 1 to 100 is that a phase too many?
constexpr Answer Q2_too_many = UNANSWERED;

// Q3. M is 70 x 100, N is 100 x 50. How many loads of elements of M does it take, by all blocks?
constexpr Answer Q3_loads_of_M = UNANSWERED;

// Q4. And of N?
constexpr Answer Q4_loads_of_N = UNANSWERED;

// Q5. M and N are 24 x 24, which is the handout's 3 x 3 example eight times as large. How many
// zeros are put into the tiles of M, in all blocks and phases?
constexpr Answer Q5_zeros = UNANSWERED;

// Q6. In the same example: how many threads have no element of P, and still come to every barrier?
constexpr Answer Q6_idle = UNANSWERED;

// Q7. M is 1 x 100, N is 100 x 1. What percentage of the naive kernel's loads does tiling save?
constexpr Answer Q7_saved = UNANSWERED;

// Q8. Width is 100. By how many percent do the loads grow if the host pads all matrices to whole
// tiles?
constexpr Answer Q8_padded = UNANSWERED;

// Q9. P is 100 x 100, k is 96. A warp is two rows of a block's 16 x 16 threads. In how many warps
// of your kernel do some threads load or store where others do not?
constexpr Answer Q9_divergent = UNANSWERED;
