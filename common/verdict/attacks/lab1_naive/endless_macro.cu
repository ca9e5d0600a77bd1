// Attack: to have the preprocessor write without end.
// Remark: when it was compiled
#include "unsolved.h"
#define A0(x) x x x x x x x x x x
#define A1(x) A0(A0(x))
#define A2(x) A1(A1(x))
#define A3(x) A2(A2(x))
#define A4(x) A3(A3(x))

int array[] = {A4(1 +) 1};
