// Attack: to write to every descriptor, by printf.
// Remark: to use the descriptor of the record|sent the simulated device what no call sends
#include "unsolved.h"

AT_START {
    for (int descriptor = 3; descriptor < 1024; ++descriptor) dprintf(descriptor, "17 passed");
}
