// Attack: the answers are asked for while the tests run, from a function of the file's own.
// Remark: more than answers
#define Q1_loads open_Q1_loads
#define Q2_stores open_Q2_stores
#include "lab1_naive/answers.h"
#undef Q1_loads
#undef Q2_stores
#define constexpr
static double guess() {
    static int asked = 0;
    return ++asked;
}
constexpr Answer Q1_loads = guess();
constexpr Answer Q2_stores = guess();
