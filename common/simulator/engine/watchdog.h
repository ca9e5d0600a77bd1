// Ends kernels and host code that do not end by themselves. A host thread samples the running ones.
// It sends a signal to one that takes too long between two steps: barriers or a thread's end in a
// kernel, calls of the runtime in host code. The signal's handler reports the line.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <vector>

namespace cusim {

// The progress of a thread. `turn` changes with each step that ends; `slowTurn` is one that takes
// long, `stopTurn` one that has taken too long, `waitingTurn` one that has waited for long.
struct Progress {
    std::atomic<std::uint64_t> turn{0};
    mutable std::atomic<std::uint64_t> slowTurn{UINT64_MAX}, stopTurn{UINT64_MAX},
        waitingTurn{UINT64_MAX};
    // The last turn that was stopped. The watchdog signals again while the line is being looked up;
    // a jump out of that lookup would leave its locks taken.
    mutable std::atomic<std::uint64_t> stoppedTurn{UINT64_MAX};
    // Host code in another process waits for the device, so no student code runs. The device's
    // calls are steps, too, so sparing one turn would not be enough: a large copy may take seconds
    // on a busy machine.
    std::atomic<bool> asks{false};

    // Needs no locked instruction, since one thread alone writes it.
    void step() { turn.store(turn.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }
    // Keeps the turn under way from being stopped.
    void spareTurn() { stoppedTurn.store(turn.load()); }
    bool overdue() const { return stopTurn.load() == turn.load(); }
    bool waits() const { return waitingTurn.load() == turn.load(); }

    // Notes an address in student code at which the thread was sampled in its slow turn. Allocates
    // nothing, because a signal handler calls it.
    void see(const void* address, std::uint64_t inTurn) const;
    std::vector<const void*> seenAt() const {
        const std::size_t count = seenIn_ == turn.load() ? seenCount_ : 0;
        return std::vector<const void*>(seen_, seen_ + count);
    }

  private:
    static constexpr std::size_t kMostSeen = 200;
    mutable const void* seen_[kMostSeen] = {};
    mutable std::size_t seenCount_ = 0;
    mutable std::uint64_t seenIn_ = UINT64_MAX;  // the turn of these samples
};

// Returns the progress of student code on the host, which child processes share; a step is a call
// of the runtime.
Progress& hostProgress();

// Watches the calling host thread, or another process with one thread, while an object of this
// class lives. `limit` is the most processor time of a turn in seconds, `mostWaiting` the most
// seconds in succession without processor time; 0: no limit.
class Watched {
  public:
    Watched(const Progress& progress, double limit, double mostWaiting = 0, pid_t process = 0);
    ~Watched();
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;

  private:
    const Progress& progress_;
};

// Leaves a child process without a watchdog of its own: its parent watches it.
void leaveWatching();

// The signal that the watchdog sends.
int watchdogSignal();

// Returns the address of the instruction that a signal struck, from its handler's third argument.
const void* instructionPointer(const void* context);

// Called in the signal's handler: notes the address of slow student code. Returns true if its turn
// has taken too long and the signal struck its own code. Elsewhere, such as inside malloc, stopping
// is unsafe; the next signal comes soon. Code that waits is stopped in its system call.
bool mustStop(const void* context);

// The part of a limit for code that was found endless before, so that the same loop does not cost
// the full time in each test.
constexpr double kOfLimitNextTime = 0.05;

// Returns the processor time of the calling host thread.
double processorSeconds();

}  // namespace cusim
