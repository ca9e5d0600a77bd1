// Attack: to close what the record goes to.
// Remark: writes around the C library
#include <unistd.h>

#include "unsolved.h"

AT_START {
    for (int descriptor = 0; descriptor < 1024; ++descriptor) close(descriptor);
}
