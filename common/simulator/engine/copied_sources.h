// Tests whether the source of an asynchronous copy changes while the copy is under way.
#pragma once

#include "simulator/engine/worker.h"

namespace cusim {

// Suspects a race on the source of a copy that ends, if the source has changed since its begin.
void checkSource(Worker& worker, const AsyncCopy& copy);
// The same for all copies of a block that ends for which no thread has waited.
void checkSources(Worker& worker);

}  // namespace cusim
