// Attack: to replace the test program by one that passes.
// Remark: defines main
#include "unsolved.h"

int main() {
    printf("17 passed, 0 failed\n");
    return 0;
}
