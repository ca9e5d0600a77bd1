// Finding: unanswered
#define Q1_phases right_Q1_phases
#include "solutions/lab3_boundary/answers.h"
#undef Q1_phases

// One question is not answered.
constexpr Answer Q1_phases = UNANSWERED;
