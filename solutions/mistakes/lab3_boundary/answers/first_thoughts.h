// Finding: wrong-answer
#define Q1_phases right_Q1_phases
#define Q2_too_many right_Q2_too_many
#define Q3_loads_of_M right_Q3_loads_of_M
#define Q4_loads_of_N right_Q4_loads_of_N
#define Q5_zeros right_Q5_zeros
#define Q6_idle right_Q6_idle
#define Q7_saved right_Q7_saved
#define Q8_padded right_Q8_padded
#define Q9_divergent right_Q9_divergent
#include "solutions/lab3_boundary/answers.h"
#undef Q1_phases
#undef Q2_too_many
#undef Q3_loads_of_M
#undef Q4_loads_of_N
#undef Q5_zeros
#undef Q6_idle
#undef Q7_saved
#undef Q8_padded
#undef Q9_divergent

// The last, ragged tile needs a phase, too.
constexpr Answer Q1_phases = 6;

// Where k is ragged both formulas agree.
constexpr Answer Q2_too_many = 100;

// Several blocks need each element.
constexpr Answer Q3_loads_of_M = 70.0 * 100;

// The ragged row of blocks loads, too.
constexpr Answer Q4_loads_of_N = 100.0 * 50 * 4;

// There are two phases.
constexpr Answer Q5_zeros = 4.0 * 16 * 16 - 24 * 24;

// Half of the threads of each block at an edge, and more in the corner.
constexpr Answer Q6_idle = 512;

// As for square matrices, where threads share.
constexpr Answer Q7_saved = 100.0 * 15 / 16;

// The width grows by 12 percent, and the loads with its square.
constexpr Answer Q8_padded = 12;

// At the lower edge whole warps lie outside.
constexpr Answer Q9_divergent = 13.0 * 8;
