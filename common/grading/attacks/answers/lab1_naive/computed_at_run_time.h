// Attack: the answers are asked for while the tests run, from a function of the file's own.
#include "testing/answers.h"
#define constexpr
static double guess() {
    static int asked = 0;
    return ++asked;
}
constexpr Answer Q1_loads = guess();
constexpr Answer Q2_stores = guess();
constexpr Answer Q3_doubled = 8, Q4_walk = 0, Q5_outside = 0, Q6_ratio = 0, Q7_cap = 0;
constexpr Answer Q8_percent = 0, Q9_needed = 0, Q10_widest = 0, Q11_blur = 0;
constexpr Answer Q12_blur_gains = yes, Q12_addition_gains = no;
