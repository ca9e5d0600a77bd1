// Lab 1, the answers.
#include "testing/answers.h"

// 32 x 32 threads, 32 steps each, an element of M and one of N in each step.
constexpr Answer Q1_loads = 2.0 * 32 * 32 * 32;

// Each thread stores its element of P, behind the loop.
constexpr Answer Q2_stores = 32.0 * 32;

// Four times as many threads with twice as many steps: the loads grow with Width^3.
constexpr Answer Q3_doubled = 2.0 * 2 * 2;

// Row = 1 * 2 + 0 = 2; Col does not matter to M. Row 2 of M has the elements 8 to 11.
constexpr Answer Q4_walk = 8 + 9 + 10 + 11;

// ceil(100 / 16) = 7 blocks of 16 threads each way.
constexpr Answer Q5_outside = (7.0 * 16) * (7.0 * 16) - 100.0 * 100;

// Two operations, two loads.
constexpr Answer Q6_ratio = 2.0 / 2.0;

// 200 GB/s are 50 x 10^9 loads of 4 bytes, and each carries one operation.
constexpr Answer Q7_cap = 200.0 / 4 * Q6_ratio;

constexpr Answer Q8_percent = 100 * Q7_cap / 1500;

// 250 x 10^9 loads a second have to carry 12,000 x 10^9 operations.
constexpr Answer Q9_needed = 12000 / (1000.0 / 4);

// A row of blocks covers 32 rows of P. (In x there may be more blocks, but P is square.)
constexpr Answer Q10_widest = 65535.0 * 32;

// One load, one addition: no better than the matrix product.
constexpr Answer Q11_blur = 1;

// A pixel enters the sums of its neighbours, so that a block could load it once for all of them.
// An element of A enters one sum only: no other sum shares it.
constexpr Answer Q12_blur_gains = yes;
constexpr Answer Q12_addition_gains = no;
