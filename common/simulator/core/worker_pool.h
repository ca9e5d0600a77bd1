// The host threads that run blocks, one Worker each. They are started once and sleep between
// launches.
#pragma once

#include <functional>

#include "simulator/core/worker.h"

namespace cusim {

// How many of so many workers there are: fewer where the system starts no more threads, at least 1.
int startWorkers(int wanted);
// Runs `work` once on each of `workers` host threads at the same time, the caller's among them.
void runOnWorkers(int workers, const std::function<void(Worker&)>& work);
// At least 1; the number of cores that this process may use unless options say otherwise.
int workerCount();
// All workers that have ever run, for adding up what they counted.
const std::vector<Worker*>& workers();

}  // namespace cusim
