// Finding: wrong-answer
#define Q1_loads right_Q1_loads
#define Q4_walk right_Q4_walk
#define Q6_ratio right_Q6_ratio
#define Q12_blur_gains right_Q12_blur_gains
#include "solutions/lab1_naive/answers.h"
#undef Q1_loads
#undef Q4_walk
#undef Q6_ratio
#undef Q12_blur_gains

// These are the loads of one thread.
constexpr Answer Q1_loads = 2 * 32;

// What the thread loads of N.
constexpr Answer Q4_walk = 1 + 5 + 9 + 13;

// 1 / 2 is 0 in C++.
constexpr Answer Q6_ratio = 1 / 2 * 2;

// 1 is no word.
constexpr Answer Q12_blur_gains = 1;
