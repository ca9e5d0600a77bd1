#include "simulator/engine/worker_pool.h"

#include <sched.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>

#include "simulator/engine/block_runner.h"
#include "simulator/engine/faults.h"
#include "simulator/memory/symbols.h"
#include "simulator/simulator.h"

namespace cusim {

__thread bool servesBlocks = false;

namespace {

Worker* makeWorker() {
    auto* const worker = new Worker;  // lives as long as its host thread, which never ends
    worker->threadLocals = threadLocalBase();
    worker->threadLocalBytes = threadLocalBytes();
    worker->sharedOwner = SharedMemoryMap::instance().owners();
    worker->runner = new BlockRunner(*worker);
    useAlternateSignalStack();
    return worker;
}

class Pool {
  public:
    int start(int count) {
        if (all_.empty()) all_.push_back(makeWorker());
        std::unique_lock<std::mutex> lock(mutex_);
        while (static_cast<int>(all_.size()) < count) {
            all_.push_back(nullptr);
            try {
                std::thread(&Pool::serve, this, all_.size() - 1).detach();
            } catch (const std::system_error&) {
                // Runs with fewer threads under a limit on processes (ulimit -u, a container's).
                all_.pop_back();
                break;
            }
        }
        started_.wait(lock, [&] { return std::count(all_.begin(), all_.end(), nullptr) == 0; });
        return std::min(count, static_cast<int>(all_.size()));
    }

    void run(int count, const std::function<void(Worker&)>& work) {
        give(1, count, work);
        if (std::this_thread::get_id() != launching_) {  // another host thread launches
            launching_ = std::this_thread::get_id();
            all_[0]->threadLocals = threadLocalBase();
        }
        useAlternateSignalStack();
        work(*all_[0]);
        await();
    }

    void runOn(int number, const std::function<void(Worker&)>& work) {
        give(number, number + 1, work);
        await();
    }

    const std::vector<Worker*>& all() const { return all_; }

  private:
    // Gives work to the workers from `first` to before `end`.
    void give(int first, int end, const std::function<void(Worker&)>& work) {
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            work_ = &work;
            first_ = first;
            end_ = end;
            running_ = end - first;
            ++generation_;
        }
        if (end > first) wake_.notify_all();
    }

    void await() {
        std::unique_lock<std::mutex> lock(mutex_);
        done_.wait(lock, [&] { return running_ == 0; });
    }

    void serve(std::size_t index) {
        servesBlocks = true;
        std::unique_lock<std::mutex> lock(mutex_);
        std::uint64_t seen = generation_;
        all_[index] = makeWorker();
        started_.notify_all();
        for (;;) {
            wake_.wait(lock, [&] { return generation_ != seen; });
            seen = generation_;
            if (static_cast<int>(index) < first_ || static_cast<int>(index) >= end_) continue;
            const auto* const work = work_;
            lock.unlock();
            (*work)(*all_[index]);
            lock.lock();
            if (--running_ == 0) done_.notify_all();
        }
    }

    std::mutex mutex_;
    std::condition_variable wake_, done_, started_;
    std::vector<Worker*> all_;
    std::thread::id launching_;  // the host thread that runs the first worker
    const std::function<void(Worker&)>* work_ = nullptr;
    int first_ = 0, end_ = 0, running_ = 0;
    std::uint64_t generation_ = 0;
};

Pool& pool() {
    static auto* const p = new Pool;  // its threads never end
    return *p;
}

}  // namespace

int startWorkers(int wanted) { return pool().start(wanted); }

void runOnWorkers(int workers, const std::function<void(Worker&)>& work) {
    pool().run(workers, work);
}

void runOnWorker(int number, const std::function<void(Worker&)>& work) {
    pool().runOn(number, work);
}

int workerCount() {
    if (options().workers > 0) return options().workers;
    cpu_set_t set;
    const int cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return std::clamp(cores, 1, 16);
}

const std::vector<Worker*>& workers() { return pool().all(); }

}  // namespace cusim
