// Plain numbers, rounded by hand.
#include "testing/answers.h"

constexpr Answer Q1_loads = 65536;
constexpr Answer Q2_stores = 1024;
constexpr Answer Q3_doubled = 8;
constexpr Answer Q4_walk = 38;
constexpr Answer Q5_outside = 2544;
constexpr Answer Q6_ratio = 1;
constexpr Answer Q7_cap = 50;
constexpr Answer Q8_percent = 3.3;
constexpr Answer Q9_needed = 48;
constexpr Answer Q10_widest = 2097120;
constexpr Answer Q11_blur = 1.0;
constexpr Answer Q12_blur_gains = yes;
constexpr Answer Q12_addition_gains = no;
