// Finding: wrong-answer
#define Q1_loads right_Q1_loads
#define Q6_ratio right_Q6_ratio
#include "solutions/lab1_naive/answers.h"
#undef Q1_loads
#undef Q6_ratio

// A load is one load, however many bytes it brings.
constexpr Answer Q1_loads = 4 * 2.0 * 32 * 32 * 32;

// The answer is a number.
constexpr Answer Q6_ratio = yes;
