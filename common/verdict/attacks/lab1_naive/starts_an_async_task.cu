// Attack: to leave a thread running, by std::async.
// Remark: starts host threads
#include <future>

#include "unsolved.h"

AT_START {
    static auto task = std::async(std::launch::async, [] {
        for (;;) {
        }
    });
}
