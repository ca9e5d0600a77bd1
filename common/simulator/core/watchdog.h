// Ends kernels that do not end by themselves. A host thread of its own looks at the workers now
// and then; where one simulated thread has been running for too long without coming to a barrier
// or to its end, it sends the worker a signal, whose handler reports the line where it spins.
#pragma once

#include <signal.h>

#include <cstdint>

namespace cusim {

struct Worker;

// While one of these lives, this worker of the calling host thread is watched.
class Watched {
  public:
    explicit Watched(const Worker& worker);
    ~Watched();
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;

  private:
    const Worker& worker_;
};

// The signal that the watchdog sends.
int watchdogSignal();

// In its handler: true where the simulated thread has really run for too long and was caught in
// its own code. Elsewhere, such as inside malloc, it cannot be stopped safely; the next signal
// comes soon.
bool mustStop(const void* context);

}  // namespace cusim
