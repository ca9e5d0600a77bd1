// Finding: unanswered
#define Q8_constant right_Q8_constant
#include "solutions/lab4_memtypes/answers.h"
#undef Q8_constant

// One question is not answered.
constexpr Answer Q8_constant = UNANSWERED;
