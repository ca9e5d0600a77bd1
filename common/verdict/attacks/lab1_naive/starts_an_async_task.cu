// Attack: to leave a thread running, by std::async.
// Remark: starts host threads
#include <future>

#include "unsolved.h"

struct AtStart {
    AtStart() {
        static auto task = std::async(std::launch::async, [] {
            for (;;) {
            }
        });
    }
} atStart;
