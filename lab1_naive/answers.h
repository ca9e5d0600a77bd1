// Lab 1, questions. Replace each UNANSWERED by your answer, then run
//   make -C lab1_naive test PART=answers
// An answer may be an expression: 2.0 * 32 * 32. In C++, 1 / 4 is 0, but 1.0 / 4 is 0.25.
// Most answers are compared with what your own kernel.cu does. Work out the answer yourself first.
#include "testing/answers.h"

// Q1. Width is 32. How many loads from global memory do all threads of your kernel make together?
constexpr Answer Q1_loads = UNANSWERED;

// Q2. Width is 32. How many stores to global memory do all threads make together?
constexpr Answer Q2_stores = UNANSWERED;

// Q3. Width is doubled. By which factor does the number of loads grow?
constexpr Answer Q3_doubled = UNANSWERED;

// Q4. Width is 4 and BLOCK_WIDTH is 2. Which elements of M does one thread load? It is the thread
// with threadIdx.x 1, threadIdx.y 0, blockIdx.x 0 and blockIdx.y 1. Give the sum of their indices.
constexpr Answer Q4_walk = UNANSWERED;

// Q5. Width is 100 and BLOCK_WIDTH is 16. How many of the launched threads have no element of P?
constexpr Answer Q5_outside = UNANSWERED;

// Q6. How many floating-point operations does your kernel make per load from global memory?
// A multiplication and an addition are two operations.
constexpr Answer Q6_ratio = UNANSWERED;

// Q7. A device loads 200 GB/s from global memory. How many GFLOP/s can your kernel reach, if each
// load has to come from global memory?
constexpr Answer Q7_cap = UNANSWERED;

// Q8. That device's peak is 1,500 GFLOP/s. What percentage of the peak can your kernel reach?
constexpr Answer Q8_percent = UNANSWERED;

// Q9. Another device loads 1 TB/s (1,000 GB/s), and its peak is 12,000 GFLOP/s. How many operations
// per load must a kernel make to reach this peak?
constexpr Answer Q9_needed = UNANSWERED;

// Q10. A grid has at most 65,535 blocks in y. A block has 32 x 32 threads, and P is square. What is
// the largest possible Width?
constexpr Answer Q10_widest = UNANSWERED;

// Q11. The inner loop of an image blur loads a pixel and adds it to a sum. How many floating-point
// operations does it make per load? (answers/given.cu has such a kernel.)
constexpr Answer Q11_blur = UNANSWERED;

// Q12. Suppose that the threads of a block share the elements that they load. Does this blur then
// need fewer loads from global memory, yes or no? Does a matrix addition, C = A + B, then need fewer
// loads, yes or no?
constexpr Answer Q12_blur_gains = UNANSWERED;
constexpr Answer Q12_addition_gains = UNANSWERED;
