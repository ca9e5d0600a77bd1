// Lab 1, questions. Put your answer in the place of each UNANSWERED and run
//   make -C lab1_naive test PART=answers
// A number may be an expression: 2.0 * 32 * 32. Mind that 1 / 4 is 0 in C++, and 1.0 / 4 is not.
// Most answers are compared with what your own kernel.cu does: count first, then let it show you.
#include "testing/answers.h"

// Q1. Width is 32. How many loads from global memory do all threads of your kernel make, together?
constexpr Answer Q1_loads = UNANSWERED;

// Q2. How many stores?
constexpr Answer Q2_stores = UNANSWERED;

// Q3. Width is doubled. How many times as many loads are there?
constexpr Answer Q3_doubled = UNANSWERED;

// Q4. Width 4, BLOCK_WIDTH 2. Which elements of M does thread (threadIdx.x 1, threadIdx.y 0) of
// block (blockIdx.x 0, blockIdx.y 1) load? Give the sum of their indices in M.
constexpr Answer Q4_walk = UNANSWERED;

// Q5. Width 100, BLOCK_WIDTH 16. How many threads are launched that have no element of P?
constexpr Answer Q5_outside = UNANSWERED;

// Q6. How many floating-point operations does your kernel make for each load from global memory?
// A multiplication and an addition are two.
constexpr Answer Q6_ratio = UNANSWERED;

// Q7. A device loads 200 GB/s from global memory. How many GFLOP/s does that allow your kernel, if
// every load has to come from there?
constexpr Answer Q7_cap = UNANSWERED;

// Q8. That device could do 1,500 GFLOP/s. What percentage of this is left?
constexpr Answer Q8_percent = UNANSWERED;

// Q9. Another device loads 1 TB/s (1,000 GB/s) and could do 12,000 GFLOP/s. How many operations
// for each load would it take to get there?
constexpr Answer Q9_needed = UNANSWERED;

// Q10. A grid has at most 65,535 blocks in y. How wide may a square P be with blocks of 32 x 32?
constexpr Answer Q10_widest = UNANSWERED;

// Q11. The inner loop of an image blur loads a pixel and adds it to a sum. How many operations for
// each load? (answers/given.cu has such a kernel.)
constexpr Answer Q11_blur = UNANSWERED;

// Q12. If the threads of a block shared what they load: would there be fewer loads from global
// memory in that blur, yes or no? And in a matrix addition, C = A + B?
constexpr Answer Q12_blur_gains = UNANSWERED;
constexpr Answer Q12_addition_gains = UNANSWERED;
