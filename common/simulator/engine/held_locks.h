// Notes which locks host code under test holds. A jump that ends a guarded call runs no destructor;
// without these notes it would leave a static mutex locked for the next test.
#pragma once

#include <vector>

namespace cusim {

struct HeldLock {
    void* lock;
    void (*release)(void* lock);
};

// Those of the guarded call under way, in the order in which they were taken; null without one.
extern std::vector<HeldLock>* heldLocks;

}  // namespace cusim
