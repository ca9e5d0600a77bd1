// Attack: to start the program anew with a library of its own.
// Remark: starts another process
#include <unistd.h>

#include "unsolved.h"

AT_START {
    char name[] = "record", preload[] = "LD_PRELOAD=/tmp/mine.so";
    char* const arguments[] = {name, nullptr};
    char* const environment[] = {preload, nullptr};
    execve("/proc/self/exe", arguments, environment);
}
