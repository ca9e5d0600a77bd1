// Tries: to change the simulator's tables from a thread of its own, between the tests.
// Gets: refused: it starts host threads, which would go on between the tests
#include <thread>

#include "unsolved.h"

AT_START {
    std::thread([] {
        for (;;) {
        }
    }).detach();
}
