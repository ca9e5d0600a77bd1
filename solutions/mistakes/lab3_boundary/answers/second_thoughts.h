// Finding: wrong-answer
#define Q3_loads_of_M right_Q3_loads_of_M
#define Q5_zeros right_Q5_zeros
#define Q8_padded right_Q8_padded
#define Q9_divergent right_Q9_divergent
#include "solutions/lab3_boundary/answers.h"
#undef Q3_loads_of_M
#undef Q5_zeros
#undef Q8_padded
#undef Q9_divergent

// The row of blocks is as long as P is wide: l, not j.
constexpr Answer Q3_loads_of_M = 70.0 * 100 * 5;

// The threads outside of P, which is another number.
constexpr Answer Q5_zeros = 32.0 * 32 - 24 * 24;

// What there is then, and not what is added.
constexpr Answer Q8_padded = 125.44;

// Warps below P load from N all the same, where their columns allow.
constexpr Answer Q9_divergent = 6 * 8 + 2;
