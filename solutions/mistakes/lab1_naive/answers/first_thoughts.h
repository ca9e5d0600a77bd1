// Finding: wrong-answer
#define Q1_loads right_Q1_loads
#define Q2_stores right_Q2_stores
#define Q3_doubled right_Q3_doubled
#define Q4_walk right_Q4_walk
#define Q5_outside right_Q5_outside
#define Q6_ratio right_Q6_ratio
#define Q7_cap right_Q7_cap
#define Q8_percent right_Q8_percent
#define Q9_needed right_Q9_needed
#define Q10_widest right_Q10_widest
#define Q11_blur right_Q11_blur
#define Q12_addition_gains right_Q12_addition_gains
#include "solutions/lab1_naive/answers.h"
#undef Q1_loads
#undef Q2_stores
#undef Q3_doubled
#undef Q4_walk
#undef Q5_outside
#undef Q6_ratio
#undef Q7_cap
#undef Q8_percent
#undef Q9_needed
#undef Q10_widest
#undef Q11_blur
#undef Q12_addition_gains

// The elements of N are loaded as well.
constexpr Answer Q1_loads = 32.0 * 32 * 32;

// The sum is kept in a local variable and stored once.
constexpr Answer Q2_stores = 32.0 * 32 * 32;

// There are four times as many threads, but each has more to do, too.
constexpr Answer Q3_doubled = 4;

// Row counts along y: this is row 1, which x would give.
constexpr Answer Q4_walk = 4 + 5 + 6 + 7;

// Beyond the right edge of one row only.
constexpr Answer Q5_outside = 7 * 16 - 100;

// An addition is an operation, too.
constexpr Answer Q6_ratio = 0.5;

// A load brings 4 bytes, so that 200 GB/s are fewer loads.
constexpr Answer Q7_cap = 200;

// The part, where a percentage is asked for.
constexpr Answer Q8_percent = 50.0 / 1500;

// For each byte, and not for each load of 4.
constexpr Answer Q9_needed = 12000 / 1000.0;

// A block covers more than one row.
constexpr Answer Q10_widest = 65535;

// The additions of a pixel, not those of a load.
constexpr Answer Q11_blur = 9;

// No two threads load the same element.
constexpr Answer Q12_addition_gains = yes;
