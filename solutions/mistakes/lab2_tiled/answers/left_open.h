// Finding: unanswered
#define Q11_passes right_Q11_passes
#include "solutions/lab2_tiled/answers.h"
#undef Q11_passes

// One question is not answered.
constexpr Answer Q11_passes = UNANSWERED;
