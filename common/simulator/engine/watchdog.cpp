#include "simulator/engine/watchdog.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <fstream>
#include <limits>
#include <mutex>
#include <new>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "simulator/engine/worker.h"
#include "simulator/findings/give_up.h"
#include "simulator/memory/symbols.h"
#include "simulator/simulator.h"

namespace cusim {
namespace {

// Returns the processor time of a host thread in seconds. With elapsed time, a thread that waits
// for a core on a busy machine would look endless.
double secondsOf(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Returns the clock of the calling thread, or of a process.
clockid_t clockOf(pid_t process) {
    clockid_t clock{};
    if (process > 0)
        clock_getcpuclockid(process, &clock);
    else
        pthread_getcpuclockid(pthread_self(), &clock);
    return clock;
}

// Tests whether a thread of this process sleeps. It does not if it waits for a core or for a page,
// is stopped, or writes into a full pipe, such as a pager.
bool sleeps(pid_t thread) {
    const std::string folder = "/proc/self/task/" + std::to_string(thread) + "/";
    std::ifstream stat(folder + "stat"), call(folder + "syscall");
    std::string state;
    stat.ignore(std::numeric_limits<std::streamsize>::max(), ')') >> state;
    long number = -1;
    call >> number;
    return state == "S" && number != SYS_write && number != SYS_writev;
}

struct Entry {
    pid_t process, thread;
    bool isOther;  // in another process
    clockid_t clock;
    const Progress* progress;
    double limit, mostWaiting;
    std::uint64_t turn;  // the turn at the last sample
    double lastLook;     // the clock at the last sample
    double taken = 0;    // seconds of that turn so far
    double waited = 0;   // seconds in succession of that turn without processor time
};

// Caps what one sample counts, because the clock of a suspended virtual machine may jump.
constexpr double kMostALook = 0.25;

// The time between two samples, usually and during a turn that has taken half of its limit.
constexpr std::chrono::milliseconds kUsually{50}, kOften{5};

// A thread that used less than this since the last sample counts as asleep. One that waits for a
// core has used more in some sample; one that sleeps may wake for a moment.
constexpr double kAsleep = 0.0001;

class Watchdog {
  public:
    void add(const Progress* progress, double limit, double mostWaiting, pid_t process) {
        const std::lock_guard<std::mutex> lock(mutex_);
        const clockid_t clock = clockOf(process);
        entries_.push_back({process ? process : getpid(), process ? process : gettid(),
                            process != 0, clock, progress, limit, mostWaiting,
                            progress->turn.load(), secondsOf(clock)});
        if (!started_) start();
        if (entries_.size() == 1) changed_.notify_all();
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
            giveUp(
                "the system cannot start another thread; raise the limit on processes (ulimit -u)");
        }
        started_ = true;
    }

    void run() {
        std::unique_lock<std::mutex> lock(mutex_);
        bool slow = false;
        for (;;) {
            if (entries_.empty()) changed_.wait(lock);
            const std::chrono::duration<double> pause = slow ? kOften : kUsually;
            changed_.wait_for(lock, pause);
            slow = false;
            for (Entry& entry : entries_) slow |= lookAt(entry, pause.count());
        }
    }

    // Samples a thread after a pause. Returns true if the turn has taken half of its limit.
    static bool lookAt(Entry& entry, double pause) {
        const std::uint64_t turn = entry.progress->turn.load();
        const double now = secondsOf(entry.clock), used = now - entry.lastLook;
        const bool same = turn == entry.turn;
        const bool spared =
            entry.progress->stoppedTurn.load() == turn || entry.progress->asks.load();
        entry.taken = same ? entry.taken + std::min(used, kMostALook) : 0;
        const bool asleep = same && used < kAsleep && entry.mostWaiting > 0 && !spared &&
                            (entry.isOther || sleeps(entry.thread));
        entry.waited = asleep ? entry.waited + pause : 0;
        entry.turn = turn;
        entry.lastLook = now;
        const bool waits = entry.mostWaiting > 0 && entry.waited > entry.mostWaiting;
        // A turn that was stopped for its waiting keeps that reason.
        if (!spared) entry.progress->waitingTurn.store(waits ? turn : UINT64_MAX);
        if (!waits && (entry.limit <= 0 || entry.taken < entry.limit / 2)) return false;
        // Loads the program's symbols before the handler needs them: it may interrupt itself, or
        // the code that loads them.
        threadLocalSymbols();
        if (!waits) entry.progress->slowTurn.store(turn);
        if (entry.taken > entry.limit) entry.progress->stopTurn.store(turn);
        tgkill(entry.process, entry.thread, watchdogSignal());
        return true;
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Entry> entries_;
    bool started_ = false;
};

// Tests whether a signal struck a thread in a system call. A page fault may take long, too.
bool isBehindSystemCall(const void* address) {
#if defined(__x86_64__)
    constexpr unsigned char kCall[] = {0x0f, 0x05};
#else
    constexpr unsigned char kCall[] = {0x01, 0x00, 0x00, 0xd4};
#endif
    return std::memcmp(static_cast<const char*>(address) - sizeof kCall, kCall, sizeof kCall) == 0;
}

Watchdog*& watchdog() {
    static auto* dog = new Watchdog;  // its thread never ends
    return dog;
}

Progress* sharedProgress() {
    void* const memory =
        mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) giveUp("the system gives no memory");
    return new (memory) Progress;
}

}  // namespace

Progress& hostProgress() {
    static Progress* const progress = sharedProgress();
    return *progress;
}

void Progress::see(const void* address, std::uint64_t inTurn) const {
    if (seenIn_ != inTurn) seenCount_ = 0;
    seenIn_ = inTurn;
    if (seenCount_ < kMostSeen) seen_[seenCount_++] = address;
}

Watched::Watched(const Progress& progress, double limit, double mostWaiting, pid_t process)
    : progress_(progress) {
    if (watchdog()) watchdog()->add(&progress_, limit, mostWaiting, process);
}
Watched::~Watched() {
    if (watchdog()) watchdog()->remove(&progress_);
}

void leaveWatching() { watchdog() = nullptr; }

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

int watchdogSignal() { return SIGURG; }

bool mustStop(const void* context) {
    const Progress& progress = cusimWorker ? cusimWorker->progress : hostProgress();
    const std::uint64_t turn = progress.turn.load();
    if (progress.stoppedTurn.load() == turn) return false;
    const void* const address = instructionPointer(context);
    if (!progress.waits() || !isBehindSystemCall(address)) {
        if (progress.slowTurn.load() != turn || !isKernelCode(address)) return false;
        progress.see(address, turn);
        if (!progress.overdue()) return false;
    }
    progress.stoppedTurn.store(turn);
    return true;
}

double processorSeconds() { return secondsOf(CLOCK_THREAD_CPUTIME_ID); }

}  // namespace cusim
