// Finding: unanswered
#define Q9_needed right_Q9_needed
#include "solutions/lab1_naive/answers.h"
#undef Q9_needed

// One question is not answered.
constexpr Answer Q9_needed = UNANSWERED;
