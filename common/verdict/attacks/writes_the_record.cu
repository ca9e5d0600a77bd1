// Tries: to write to the descriptor that the record goes to.
// Gets: refused: uses write: it writes around the C library
#include <unistd.h>

#include "unsolved.h"

AT_START {
    for (int descriptor = 3; descriptor < 100; ++descriptor) write(descriptor, "17 passed", 9);
}
