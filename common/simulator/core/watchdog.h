// Ends kernels and host code that do not end by themselves. A host thread of its own looks at those
// that run now and then; where one simulated thread has been running for too long without coming to
// a barrier or to its end, or student code on the host without calling the runtime, it sends a
// signal, whose handler reports the line where it spins.
#pragma once

#include <signal.h>

#include <atomic>
#include <cstdint>

namespace cusim {

// What shows whether a thread gets on: `turn` changes with each step that ends, and `stopTurn` is
// the one that has taken too long.
struct Progress {
    std::atomic<std::uint64_t> turn{0};
    mutable std::atomic<std::uint64_t> stopTurn{UINT64_MAX};
    // The last turn that was stopped. The watchdog signals again while its line is being looked up;
    // to jump out of that lookup would leave its locks taken.
    mutable std::atomic<std::uint64_t> stoppedTurn{UINT64_MAX};

    // Only one thread writes it, so that no locked instruction is needed.
    void step() { turn.store(turn.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }
    bool overdue() const { return stopTurn.load() == turn.load(); }
};

// Of student code on the host: a step is a call of the runtime.
Progress& hostProgress();

// While one of these lives, the calling host thread is watched.
class Watched {
  public:
    explicit Watched(const Progress& progress);
    ~Watched();
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;

  private:
    const Progress& progress_;
};

// The signal that the watchdog sends.
int watchdogSignal();

// In its handler: true where student code has really run for too long and was caught in its own
// code. Elsewhere, such as inside malloc, it cannot be stopped safely; the next signal
// comes soon.
bool mustStop(const void* context);

}  // namespace cusim
