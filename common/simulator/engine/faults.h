// Handles signals: a crash in a kernel ends its block with a finding, a crash of the host code
// under test ends the guarded call. The program continues.
#pragma once

#include <cstddef>
#include <functional>

#include "simulator/engine/watchdog.h"
#include "simulator/simulator.h"

namespace cusim {

// Installs the handlers for the calling host thread, on a stack of their own to survive an
// overflow. Called before each guarded call and launch, because a test framework may have replaced
// them.
void useAlternateSignalStack();

// Ends the running kernel or host code after a function that ended without returning its value.
void endWithoutReturn();

// The parts of guarded(), for a process that only runs the code and one that has the device:
// guardedAlone() runs the code, watchHost() watches that process from the other one, checkAfter()
// adds the findings after the code has returned. Code that waits for more than `mostWaiting`
// seconds without a break counts as endless.
Outcome guardedAlone(const std::function<void()>& studentCode);
Watched watchHost(pid_t process, double mostWaiting);
void checkAfter(const Outcome& outcome);

// Notes that another process has found host code endless, so that the next time costs less.
void noteEndlessHost();

// Called when host code starts a thread: ends a guarded call with a finding, because a jump out of
// another thread's call is impossible, and the grader refuses threads.
void refuseThread();

// Called by the runtime in each call, with the number of calls so far: ends a guarded call with a
// finding if it has made so many and taken so long that it seems endless.
void endAfterCalls(std::size_t calls);

}  // namespace cusim
