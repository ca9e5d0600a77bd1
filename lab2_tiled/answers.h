// Lab 2, questions. Replace each UNANSWERED by your answer, then run
//   make -C lab2_tiled test PART=answers
// An answer may be an expression: 2.0 * 32 * 32. In C++, 1 / 4 is 0, but 1.0 / 4 is 0.25.
// TILE_WIDTH is 16 unless a question says otherwise. Most answers are compared with what your own
// kernel.cu does. Work out the answer yourself first.
#include "testing/answers.h"

// Q1. Width is 64. How often is each element of M needed? (A kernel without tiles loads it that
// often.)
constexpr Answer Q1_untiled = UNANSWERED;

// Q2. Width is 64. How often does your tiled kernel load each element of M?
constexpr Answer Q2_tiled = UNANSWERED;

// Q3. What percentage of the loads of Q1 does your tiled kernel still make?
constexpr Answer Q3_percent = UNANSWERED;

// Q4. Width is 64. How many loads from global memory does one block make in all its phases?
constexpr Answer Q4_block = UNANSWERED;

// Q5. A device loads 150 GB/s from global memory. How many GFLOP/s can your kernel reach, if global
// memory is the only limit?
constexpr Answer Q5_at_150 = UNANSWERED;

// Q6. A GeForce 8800 GTX loads 86.4 GB/s. How many GFLOP/s can your kernel reach there?
constexpr Answer Q6_at_86 = UNANSWERED;

// Q7. The device of Q5 has a peak of 1,000 GFLOP/s. TILE_WIDTH can be 2, 4, 8, 16, 32 and so on.
// What is the smallest TILE_WIDTH at which global memory allows this peak?
constexpr Answer Q7_enough = UNANSWERED;

// Q8. A block has at most 1,024 threads, one for each element of a tile. What is the largest
// possible TILE_WIDTH?
constexpr Answer Q8_largest = UNANSWERED;

// Q9. The textbook (Kirk and Hwu) prints transposeKernel of answers/given.cu without its barrier,
// for any BLOCK_WIDTH from 1 to 20. What is the largest BLOCK_WIDTH for which the kernel without
// the barrier is right in every order of its threads?
constexpr Answer Q9_for_sure = UNANSWERED;

// Q10. On older GPUs the 32 threads of a warp run in lockstep: all execute the same instruction at
// the same time. What is the largest BLOCK_WIDTH for which the kernel of Q9 happens to work there?
constexpr Answer Q10_by_luck = UNANSWERED;

// Q11. The 32 threads of a warp read a column of a shared array. Its rows are 40 words long. How
// many passes over the banks does this read need?
constexpr Answer Q11_passes = UNANSWERED;

// Q12. In one cycle, an SM of an H200 can do 128 multiply-adds, and shared memory can answer one read
// of one word from each of 32 threads. What percentage of these multiply-adds can your kernel do, if
// shared memory is the only limit? (Ignore the stores to the tiles.)
constexpr Answer Q12_arithmetic = UNANSWERED;
