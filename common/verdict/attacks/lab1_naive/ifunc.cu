// Attack: to choose code while the program is loaded.
// Remark: takes code out
#include "unsolved.h"

extern "C" {
int zero() { return 0; }
int (*resolve())() { return zero; }
int chosen() __attribute__((ifunc("resolve")));
}
