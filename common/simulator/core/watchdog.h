// Ends kernels and host code that do not end by themselves. A host thread of its own looks at those
// that run now and then; where one simulated thread has been running for too long without coming to
// a barrier or to its end, or student code on the host without calling the runtime, it sends a
// signal, whose handler reports the line where it spins.
#pragma once

#include <signal.h>

#include <atomic>
#include <cstdint>
#include <vector>

namespace cusim {

// What shows whether a thread gets on: `turn` changes with each step that ends, `slowTurn` is one
// that takes long, and `stopTurn` one that has taken too long.
struct Progress {
    std::atomic<std::uint64_t> turn{0};
    mutable std::atomic<std::uint64_t> slowTurn{UINT64_MAX}, stopTurn{UINT64_MAX};
    // The last turn that was stopped. The watchdog signals again while its line is being looked up;
    // to jump out of that lookup would leave its locks taken.
    mutable std::atomic<std::uint64_t> stoppedTurn{UINT64_MAX};

    // Only one thread writes it, so that no locked instruction is needed.
    void step() { turn.store(turn.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }
    bool overdue() const { return stopTurn.load() == turn.load(); }

    // Addresses in student code at which the thread was in its slow turn, each time that it was
    // looked at. Filled by a signal handler, so that it takes no memory.
    void see(const void* address, std::uint64_t inTurn) const;
    std::vector<const void*> seenAt() const {
        const std::size_t count = seenIn_ == turn.load() ? seenCount_ : 0;
        return std::vector<const void*>(seen_, seen_ + count);
    }

  private:
    static constexpr std::size_t kMostSeen = 200;
    mutable const void* seen_[kMostSeen] = {};
    mutable std::size_t seenCount_ = 0;
    mutable std::uint64_t seenIn_ = UINT64_MAX;  // which turn
};

// Of student code on the host: a step is a call of the runtime.
Progress& hostProgress();

// While one of these lives, the calling host thread is watched. A turn may take so many seconds of
// its processor time; 0: any.
class Watched {
  public:
    Watched(const Progress& progress, double limit);
    ~Watched();
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;

  private:
    const Progress& progress_;
};

// The signal that the watchdog sends.
int watchdogSignal();

// In its handler: notes where student code is that has run for long, and is true where it has run
// for too long and was caught in its own code. Elsewhere, such as inside malloc, it cannot be
// stopped safely; the next signal comes soon.
bool mustStop(const void* context);

// What is left of a limit for code that has been found endless before: whoever waits for a verdict
// shall not wait for the same loop again in each test.
constexpr double kOfLimitNextTime = 0.05;

// Of the calling host thread.
double processorSeconds();

}  // namespace cusim
