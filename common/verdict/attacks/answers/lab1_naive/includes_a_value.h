// Attack: to take a number out of a file of the system's or of the grader's.
// Remark: names what belongs to the system
#define Q1_loads open_Q1_loads
#include "lab1_naive/answers.h"
#undef Q1_loads
constexpr Answer Q1_loads =
#include "/proc/sys/kernel/pid_max"
    ;
