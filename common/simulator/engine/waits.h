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
    // Answers a host that asks whether a stream or an event, those of the step, has ended. What no
    // wait covers has not, the first few times: on a card the work may still be under way.
    bool hasEnded(const StreamStep& step);
    void hostWaitsForAll() { note({StreamStep::HostWaits, -1}); }
    // Begins work in the stream of a step.
    std::shared_ptr<const Work> begin(std::string name, const Place& at, const StreamStep& step);
    // Notes what work does to an allocation, before any other work begins.
    void noteUse(const std::shared_ptr<const Work>& work, const Allocation& allocation, ByteUse how,
                 std::vector<Piece> pieces);

    // Lets the host go on that uses memory which may be closed. Returns false where it is not.
    bool letGoOn(const void* address, const std::function<Place()>& place);
    // Hears of an access of the host's to a variable.
    void hear(const void* address, bool stores, const std::function<Place()>& place);
    // Hears of a volatile or atomic access of the host's: it waits by looking for a value.
    void hostPolls(const void* address);
    // Hears that the host takes a lock: like a poll, it can wait for functions of streams.
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
    bool takeHeard() { return std::exchange(heard_, false); }
    // Reports what was found since the last call. Not at once, as the host may be in the middle of
    // its output.
    void report();
    // Returns whether the host has gone on since the last call: it waited, or read a value.
    bool takeGoneOn() { return std::exchange(goneOn_, false); }

  private:
    // The last work of each stream that has ended once something else has; of stream -1, of all.
    using Clock = std::map<int, std::uint64_t>;
    static bool hasEnded(const Clock& clock, const Work& work);
    void tellUnordered(const PendingUse& use, const PendingUse& before,
                       const Allocation& allocation, std::size_t byte);
    void tell(const PendingUse& use, const std::string& memory, const Place& at);
    void goOn();
    static void join(Clock& clock, const Clock& other);
    Clock& enter(const StreamStep& step);

    std::map<int, Clock> streams_, events_;
    std::vector<int> called_;  // the events of functions that the host has not waited for
    // By stream and event, what a host asked about that had not ended, and how often.
    std::map<std::pair<int, int>, std::pair<Clock, int>> asked_;
    bool hasAnswered_ = false;     // that one of these has ended
    std::map<int, Clock> toldOf_;  // what a stream should have waited for, as was reported
    std::set<int> nonBlocking_;
    Clock host_;
    std::uint64_t last_ = 0;
    std::vector<Finding> found_;
    std::set<std::pair<std::string, std::string>> toldUnordered_;  // places of the two works
    const Clock* function_ = nullptr;  // what has ended before the function that runs; or null
    bool goneOn_ = false, heard_ = false;
};

}  // namespace cusim
