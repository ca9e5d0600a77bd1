// The host threads that run blocks, with one Worker each. They start once and sleep between
// launches.
#pragma once

#include <functional>

#include "simulator/engine/worker.h"

namespace cusim {

// Returns the number of workers, up to `wanted`: at least 1, fewer if the system starts no more.
int startWorkers(int wanted);
// Runs `work` once on each of `workers` host threads at the same time; the caller is one of them.
void runOnWorkers(int workers, const std::function<void(Worker&)>& work);
// Runs `work` only on the worker of this number, which startWorkers() has started, and waits.
void runOnWorker(int number, const std::function<void(Worker&)>& work);
// Returns the number of workers in the options, or of the cores that this process may use, 1 to 16.
int workerCount();
// Returns all workers that have ever run; the caller adds their counts.
const std::vector<Worker*>& workers();

// True in a host thread that startWorkers() has started: it runs only kernels.
extern __thread bool servesBlocks;

}  // namespace cusim
