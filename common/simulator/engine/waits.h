// Tells where the host uses managed or pinned memory that work of the device's may still write, or
// stores where it may still read, since the host has not waited for that work. Keeps in which order
// streams, events and waits put all work: see "Stream synchronization behavior" and "API
// synchronization behavior" of CUDA's Runtime API. Where that leaves open whether a call waits, it
// waits.
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

    // Takes a step in its place among the streams.
    void note(const StreamStep& step);
    void hostWaitsForAll() { note({StreamStep::HostWaits, -1}); }
    // Begins work in the stream of a step.
    std::shared_ptr<const Work> begin(std::string name, const Place& at, const StreamStep& step);
    // Notes what kernels have stored in an allocation, by its marks.
    void noteStored(const std::shared_ptr<const Work>& work, const Allocation& allocation);
    void noteUse(const std::shared_ptr<const Work>& work, const Allocation& allocation, bool writes,
                 std::vector<Piece> pieces);

    // Lets the host go on that uses memory which may be closed. Returns false where it is not.
    bool letGoOn(const void* address, const std::function<Place()>& place);
    // Hears of an access of the host's to a variable.
    void hear(const void* address, bool stores, const std::function<Place()>& place);
    // Hears of a volatile or atomic access of the host's: it waits by looking for a value.
    void hostPolls(const void* address);
    // Reports what was found since the last call. Not at once, as the host may be in the middle of
    // its output.
    void report();
    // Returns whether the host has gone on since the last call: it was told, or looked for a value.
    bool takeGoneOn() { return std::exchange(goneOn_, false); }

  private:
    // The last work of each stream that has ended once something else has.
    using Clock = std::map<int, std::uint64_t>;
    void tell(const PendingUse& use, const Allocation& allocation, const Place& at);
    void goOn();
    static void join(Clock& clock, const Clock& other);
    Clock& enter(const StreamStep& step);

    std::map<int, Clock> streams_, events_;
    std::set<int> nonBlocking_;
    Clock host_;
    std::uint64_t last_ = 0;
    std::vector<Finding> found_;
    bool goneOn_ = false;
};

}  // namespace cusim
