// Attack: a constructor beside the answers, which would run in the tests' program.
// Remark: more than answers
#include <cstdlib>

#include "lab1_naive/answers.h"

struct Leaves {
    Leaves() { std::exit(0); }
};
static Leaves leaves;
