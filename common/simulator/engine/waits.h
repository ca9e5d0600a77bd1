// Keeps in which order streams, events and waits put all work: see "Stream synchronization
// behavior" and "API synchronization behavior" of CUDA's Runtime API. If that leaves open
// whether a call waits, it waits. Reports where the host uses managed, pinned or registered memory
// that work may still write, or stores where it may still read; and where two works use the same
// bytes in no order.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "simulator/memory/closed_pages.h"
#include "simulator/simulator.h"

namespace cusim {

class Waits {
  public:
    static Waits& instance();

    // Takes a step in its place among the streams. Returns it with what has ended before it.
    StreamStep note(StreamStep step);
    // Returns whether the step's stream or event has ended, for a query of host code. Work that no
    // wait covers has not, the first few times: on a card it may still be under way.
    bool hasEnded(const StreamStep& step);
    void hostWaitsForAll() { note({StreamStep::HostWaits, -1}); }
    // Begins work in the stream of a step.
    std::shared_ptr<const Work> begin(std::string name, const Place& at, const StreamStep& step);
    // Notes what work does to an allocation, before any other work begins.
    void noteUse(const std::shared_ptr<const Work>& work, const Allocation& allocation, ByteUse how,
                 std::vector<Piece> pieces);

    // Opens closed memory that host code accesses, so that it may continue. Returns false if the
    // memory is not closed.
    bool openFor(const void* address, const std::function<Place()>& place);
    // Notes an access of host code to a variable.
    void noteAccess(const void* address, bool stores, const std::function<Place()>& place);
    // Notes a volatile or atomic access of host code, which may wait for a value.
    void hostPolls(const void* address);
    // Notes that host code takes a lock: like a poll, this can wait for functions of streams.
    void hostLocks();
    // Calls a function of a stream, which begins when the work before it has ended. The host does
    // not wait for it until it polls or locks.
    void callInStream(StreamStep step, const std::function<void()>& function);
    void noteCalled(int event) { called_.push_back(event); }
    // Tests whether work has ended before the function of a stream that runs now.
    bool isOverInFunction(const Work& work) const {
        return function_ && hasEnded(*function_, work);
    }
    // Returns whether the host has waited for functions of streams since the last call.
    bool takeWaited() { return std::exchange(waited_, false); }
    // Reports what was found since the last call. Not at once, because the host may be in the
    // middle of its output.
    void report();
    // Returns whether the host has continued since the last call: it waited, or read a value.
    bool takeContinued() { return std::exchange(continued_, false); }

  private:
    // By stream, the last work that ends before something else; by stream -1, that of all.
    using Clock = std::map<int, std::uint64_t>;
    static bool hasEnded(const Clock& clock, const Work& work);
    void tellUnordered(const PendingUse& use, const PendingUse& before,
                       const Allocation& allocation, std::size_t byte);
    void tell(const PendingUse& use, const std::string& memory, const Place& at);
    void endWait();
    static void join(Clock& clock, const Clock& other);
    Clock& enter(const StreamStep& step);

    std::map<int, Clock> streams_, events_;
    std::vector<int> called_;  // the events of functions that the host has not waited for
    // By stream and event, the unfinished work that host code asked about, and how often.
    std::map<std::pair<int, int>, std::pair<Clock, int>> asked_;
    bool hasAnswered_ = false;     // that one of these has ended
    std::map<int, Clock> toldOf_;  // reported: what a stream should have waited for
    std::set<int> nonBlocking_;
    Clock host_;
    std::uint64_t last_ = 0;
    std::vector<Finding> found_;
    std::set<std::pair<std::string, std::string>> toldUnordered_;  // places of the two works
    const Clock* function_ =
        nullptr;  // what ended before the running function of a stream; or null
    bool continued_ = false, waited_ = false;
};

}  // namespace cusim
