// The mode of an atomic or volatile access.
#pragma once

#include "simulator/engine/block_runner.h"
#include "simulator/engine/waits.h"
#include "simulator/engine/worker.h"

namespace cusim {

// Sets the mode of an access while the hooks run. Host code that reads in a mode waits for a value.
struct InMode {
    InMode(AccessMode mode, const void* address, const void* place, bool reads) {
        if (!cusimWorker) {
            if (reads) Waits::instance().hostPolls(address);
            return;
        }
        if (cusimWorker->yields) cusimWorker->runner->poll(address, place);
        cusimWorker->mode = mode;
    }
    ~InMode() {
        if (cusimWorker) cusimWorker->mode = {};
    }
};

}  // namespace cusim
