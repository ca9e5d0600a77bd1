// Finding: wrong-answer
#define Q1_untiled right_Q1_untiled
#define Q2_tiled right_Q2_tiled
#define Q3_percent right_Q3_percent
#define Q4_block right_Q4_block
#define Q5_at_150 right_Q5_at_150
#define Q6_at_86 right_Q6_at_86
#define Q7_enough right_Q7_enough
#define Q8_largest right_Q8_largest
#define Q9_for_sure right_Q9_for_sure
#define Q10_by_luck right_Q10_by_luck
#define Q11_passes right_Q11_passes
#include "solutions/lab2_tiled/answers.h"
#undef Q1_untiled
#undef Q2_tiled
#undef Q3_percent
#undef Q4_block
#undef Q5_at_150
#undef Q6_at_86
#undef Q7_enough
#undef Q8_largest
#undef Q9_for_sure
#undef Q10_by_luck
#undef Q11_passes

// An element of M enters one row of P, not all of it.
constexpr Answer Q1_untiled = 64.0 * 64;

// Each element is loaded once for each block that needs it.
constexpr Answer Q2_tiled = 16;

// The part, where a percentage is asked for.
constexpr Answer Q3_percent = 1.0 / 16;

// The loads of one phase only.
constexpr Answer Q4_block = 2.0 * 16 * 16;

// A load brings 4 bytes.
constexpr Answer Q5_at_150 = 150.0 * 16;

// What the naive kernel is allowed.
constexpr Answer Q6_at_86 = 86.4 / 4;

// 600 GFLOP/s are not 1,000.
constexpr Answer Q7_enough = 16;

// The threads of a block are those of a square.
constexpr Answer Q8_largest = 1024;

// Threads read what others may not have written yet.
constexpr Answer Q9_for_sure = 20;

// A warp is 32 threads, not 32 x 32.
constexpr Answer Q10_by_luck = 32;

// That is so where rows are 32 words long.
constexpr Answer Q11_passes = 32;
