// Attack: a constructor beside the answers, which would run in the tests' program.
#include <cstdlib>

#include "testing/answers.h"

constexpr Answer Q1_loads = 1, Q2_stores = 1, Q3_doubled = 1, Q4_walk = 1, Q5_outside = 1;
constexpr Answer Q6_ratio = 1, Q7_cap = 1, Q8_percent = 1, Q9_needed = 1, Q10_widest = 1;
constexpr Answer Q11_blur = 1, Q12_blur_gains = yes, Q12_addition_gains = no;

struct Leaves {
    Leaves() { std::exit(0); }
};
static Leaves leaves;
