// The host threads that run blocks, with one Worker each. They start once and sleep between
// launches.
#pragma once

#include <functional>

#include "simulator/engine/worker.h"

namespace cusim {

// Returns how many of `wanted` workers there are: at least 1, fewer if the system starts no more.
int startWorkers(int wanted);
// Runs `work` once on each of `workers` host threads at the same time; the caller is one of them.
void runOnWorkers(int workers, const std::function<void(Worker&)>& work);
// Runs `work` on the worker of this number alone, which startWorkers() has started; the caller
// waits.
void runOnWorker(int number, const std::function<void(Worker&)>& work);
// Returns the workers that options ask for, or the cores that this process may use, 1 to 16.
int workerCount();
// Returns all workers that have ever run, whose counts the caller adds up.
const std::vector<Worker*>& workers();

// Whether the calling host thread is one that startWorkers() has started: of a .cu file it runs
// nothing but kernels.
extern __thread bool servesBlocks;

}  // namespace cusim
