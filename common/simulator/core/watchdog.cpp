#include "simulator/core/watchdog.h"

#include <pthread.h>
#include <time.h>
#include <ucontext.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "simulator/core/faults.h"
#include "simulator/core/symbols.h"
#include "simulator/core/worker.h"
#include "simulator/simulator.h"

namespace cusim {
namespace {

// The processor time of a host thread: on a busy machine a thread that waits for a core gets on no
// faster than an endless one, and is none.
double secondsOf(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

struct Entry {
    pthread_t thread;
    clockid_t clock;
    const Progress* progress;
    std::uint64_t turn;  // when last looked at
    double since;
};

// The second endless loop of a program is not waited for as long as the first.
std::atomic<bool> stoppedOne{false};

class Watchdog {
  public:
    void add(const Progress* progress) {
        const std::lock_guard<std::mutex> lock(mutex_);
        clockid_t clock{};
        pthread_getcpuclockid(pthread_self(), &clock);
        entries_.push_back(
            {pthread_self(), clock, progress, progress->turn.load(), secondsOf(clock)});
        if (!started_) start();
        changed_.notify_all();
    }

    void remove(const Progress* progress) {
        const std::lock_guard<std::mutex> lock(mutex_);
        entries_.erase(std::remove_if(entries_.begin(), entries_.end(),
                                      [&](const Entry& e) { return e.progress == progress; }),
                       entries_.end());
    }

  private:
    void start() {
        try {
            std::thread(&Watchdog::run, this).detach();
        } catch (const std::system_error&) {
            giveUp("the system starts no further thread; raise the limit on processes (ulimit -u)");
        }
        started_ = true;
    }

    void run() {
        std::unique_lock<std::mutex> lock(mutex_);
        for (;;) {
            if (entries_.empty()) changed_.wait(lock);
            changed_.wait_for(lock, std::chrono::milliseconds(50));
            const double limit = options().secondLimit * (stoppedOne ? 0.1 : 1.0);
            if (limit <= 0) continue;
            for (Entry& entry : entries_) {
                const std::uint64_t turn = entry.progress->turn.load();
                if (turn != entry.turn) {
                    entry.turn = turn;
                    entry.since = secondsOf(entry.clock);
                } else if (secondsOf(entry.clock) - entry.since > limit) {
                    // The handler asks the program's symbols: they must be there before, since
                    // the next signal may interrupt it, and whatever it waits for.
                    threadLocalSymbols();
                    entry.progress->stopTurn.store(turn);
                    pthread_kill(entry.thread, watchdogSignal());
                }
            }
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Entry> entries_;
    bool started_ = false;
};

Watchdog& watchdog() {
    static auto* const dog = new Watchdog;  // its thread never ends
    return *dog;
}

const void* instructionPointer(const void* context) {
    const auto* c = static_cast<const ucontext_t*>(context);
#if defined(__x86_64__)
    return reinterpret_cast<const void*>(c->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
    return reinterpret_cast<const void*>(c->uc_mcontext.pc);
#else
#error "the simulated device runs on x86-64 and arm64"
#endif
}

}  // namespace

Progress& hostProgress() {
    static Progress progress;
    return progress;
}

Watched::Watched(const Progress& progress) : progress_(progress) { watchdog().add(&progress_); }
Watched::~Watched() { watchdog().remove(&progress_); }

int watchdogSignal() { return SIGURG; }

bool mustStop(const void* context) {
    const Progress& progress = cusimWorker ? cusimWorker->progress : hostProgress();
    if (!progress.overdue()) return false;
    const std::uint64_t turn = progress.turn.load();
    if (progress.stoppedTurn.load() == turn) return false;
    if (!isKernelCode(instructionPointer(context))) return false;
    progress.stoppedTurn.store(turn);
    stoppedOne = true;
    return true;
}

}  // namespace cusim
