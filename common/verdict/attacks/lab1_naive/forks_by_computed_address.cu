// Attack: to start processes by a function of the C library that it has no name for; 100 at most.
// Remark: to start another process
#include <unistd.h>

#include "unsolved.h"

// The distance in this machine's C library, which a student with the same system may know.
constexpr long kFork = FORK_BEHIND_PUTS;

AT_START {
    auto* const another = reinterpret_cast<int (*)()>(reinterpret_cast<char*>(::puts) + kFork);
    for (int i = 0; i < 100; ++i)
        if (another() == 0) {
            sleep(20);
            break;
        }
}
