// Predicts accesses. In a loop, an instruction mostly accesses memory with one stride: a run. The
// next thread mostly makes the same run, or one that starts a fixed distance away: a row of runs.
// So a row predicts the run of the next thread, and an access that is predicted is only counted.
// The checks see each row as a whole when it ends: later, but in the same epoch, in which the order
// does not matter. A row of reads that many threads or blocks repeat is kept once. Reads of an
// array that nothing has written to since need no check at all.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "simulator/memory/access.h"
#include "simulator/observers/races.h"

namespace cusim {

// Rows of runs by one instruction: `rows` of them, each of `runs` runs, each of `loads` accesses of
// 4 bytes.
struct Rows {
    const void* place = nullptr;  // the hook's return address
    std::size_t offset = 0;       // of the first access, as the race check counts
    std::intptr_t stride = 0, runStride = 0, rowStride = 0;  // from one to the next
    std::int32_t loads = 0;                                  // 0: no rows
    std::int32_t runs = 1, rows = 1;
    std::uint32_t array = 0;                      // its counter, see AccessSite
    std::uint32_t lowest = 0, highest = 0;        // threads that made the first run, or blocks
    std::int32_t runThreads = 0, rowThreads = 0;  // from run to run, and from row to row

    bool alike(const Rows& other) const {
        return place == other.place && loads == other.loads && stride == other.stride &&
               runs == other.runs && runStride == other.runStride && array == other.array &&
               runThreads == other.runThreads;
    }
    bool same(const Rows& other) const {
        return offset == other.offset && alike(other) && rows == other.rows &&
               rowStride == other.rowStride && rowThreads == other.rowThreads;
    }
    // Adds one more row. Returns false if it does not continue these.
    bool add(const Rows& row);
    std::uint64_t accesses() const {
        return std::uint64_t{1} * static_cast<std::uint32_t>(loads) *
               static_cast<std::uint32_t>(runs) * static_cast<std::uint32_t>(rows);
    }
    std::size_t hash() const {
        return (offset / 4 + reinterpret_cast<std::uintptr_t>(place)) * 0x9E3779B97F4A7C15U >> 32;
    }
    void join(const Rows& other) {
        lowest = std::min(lowest, other.lowest);
        highest = std::max(highest, other.highest);
    }
    Instruction instruction(AccessKind kind) const {
        return instructionOf(place, kind, instructionBase());
    }
    // Gives rows that make the same accesses the same form.
    void simplify();
    // Calls see(offset, lowest, highest) for each access that the race check must see.
    template <class See>
    void forEach(See see) const {
        const bool single = loads == 1 || stride == 0;  // so that the runs are one long one
        const std::int32_t each = single ? runs : loads, outer = single ? 1 : runs;
        const auto by = static_cast<std::size_t>(single ? runStride : stride);
        const auto threads = static_cast<std::uint32_t>(single ? runThreads : 0);
        for (std::int32_t row = 0; row < rows; ++row)
            for (std::int32_t run = 0; run < outer; ++run) {
                auto thread = static_cast<std::uint32_t>(row * rowThreads + run * runThreads);
                std::size_t at =
                    offset + static_cast<std::size_t>(row * rowStride + run * runStride);
                for (std::int32_t i = 0; i < each; ++i, at += by, thread += threads)
                    see(at, lowest + thread, highest + thread);
            }
    }
};

// An instruction that loads or stores 4 bytes, with the running thread's run and the row so far.
// The hook needs the first members alone, up to `left`; the build's pass (hooks/hear.py) writes the
// same in the student's code, where a site begins as zeros.
struct alignas(64) AccessSite {
    static constexpr std::uintptr_t kClosed = UINTPTR_MAX;

    const void* place = nullptr;        // the hook's return address
    std::uintptr_t next = kClosed;      // the predicted address
    std::intptr_t stride = 4;           // in bytes
    std::int32_t left = 0;              // accesses until the prediction ends
    std::int32_t granted = 0;           // accesses predicted in all, of which `left` are unused
    std::uintptr_t start = 0;           // the first address of the run, or of the predicted one
    std::uintptr_t low = 0, bytes = 0;  // the array that was last accessed
    std::uint32_t array = 0;            // its counter: shared arrays first, then allocations
    std::uint8_t shift = 2;             // |stride| is at most 1 << shift
    std::uint8_t vain = 0;              // rows in succession that were too short to gain anything
    bool stores = false;
    bool isKnown = false;  // in the list of sites that may have a run or a row

    // The row before this run.
    std::int32_t runs = 0;  // 0: there is none
    std::int32_t loads = 0;
    std::int32_t mostRuns = 0;  // predicted runs that lie in the array, and those before
    std::int32_t runThreads = 1;
    std::uintptr_t row = 0;  // its first address
    std::intptr_t runStride = 4;
    std::uint32_t first = 0, nextThread = 0;

    std::uint32_t launch = 0;  // the last one that used it, see Runs::renew()
    std::uint32_t index = 0;   // of its last rows

    // Tests for the predicted access, and predicts the next one.
    bool isPredicted(std::uintptr_t address, const void* from) {
        if (place != from || next != address || --left < 0) return false;
        next += static_cast<std::uintptr_t>(stride);
        return true;
    }
    // Returns the accesses so far of the running thread's run.
    std::int32_t used() const { return granted - left; }
    bool gaveUp() const { return vain == 64; }
    void noteGain(std::int64_t accesses) {
        if (accesses >= 4)
            vain = 0;
        else if (!gaveUp())
            ++vain;
    }
    bool inArray(std::uintptr_t address) const {
        return address - low < bytes && bytes - (address - low) >= 4 && address % 4 == 0;
    }
};

static_assert(sizeof(AccessSite) == 128 && offsetof(AccessSite, next) == 8 &&
                  offsetof(AccessSite, stride) == 16 && offsetof(AccessSite, left) == 24,
              "hear.py reads these numbers here");

class Runs {
    struct Table;

  public:
    static constexpr std::size_t kSites = 512;
    // Instructions within 4 KiB of code have different sites.
    static std::size_t siteOf(const void* place) {
        return reinterpret_cast<std::uintptr_t>(place) / 8 % kSites;
    }
    // The sites of instructions that have none of their own.
    AccessSite* sites() { return sites_.data(); }

    using Show = std::function<void(const Rows&)>;
    // Begins a launch. `loads` counts by array; null `races`: no race check. `stored` is called for
    // all rows of stores, `read` for all that read device memory, if there is a race check.
    void begin(std::uint64_t* loads, std::size_t sharedArrays, std::uintptr_t threadLocals,
               const Actor* actor, Races* races, Show stored, Show read);

    // Continues the running thread's run if isPredicted() is false: past the granted accesses, or
    // with another stride. Returns false if there is no run, or if the access does not continue it.
    bool continueRun(AccessSite& site, std::uintptr_t address);
    // Begins a run of the running thread. The site knows its array.
    void begin(AccessSite& site, std::uintptr_t address);
    // Ends the running thread's run; another one follows in this turn.
    void endRun(AccessSite& site);
    // Ends the row of a site without a run, before it gets another array.
    void endRow(AccessSite& site);
    // Gives a site without a run to another instruction.
    void give(AccessSite& site, const void* place, bool stores);
    // Empties a site that no access of this launch has used yet.
    void renew(AccessSite& site) {
        if (site.launch == launch_) return;
        site = {};
        site.launch = launch_;
        site.index = static_cast<std::uint32_t>(ended_.size());
        ended_.emplace_back();
    }

    // Ends the runs of the thread that had the last turn.
    void endTurn() {
        std::size_t idle = 0;
        for (AccessSite* const one : list_) {
            AccessSite& site = *one;
            if (site.used() == 0) {
                ++idle;
                continue;
            }
            if (__builtin_expect(
                    site.left == 0 && site.nextThread == thread_ && site.runs + 1 < site.mostRuns,
                    1)) {
                ++site.runs;
                predict(site);
            } else {
                addToRow(site);
            }
        }
        // Forgets many sites that only other threads have used: each turn takes time for them.
        if (idle > kSites) forgetIdle();
        thread_ = actor_->thread;
    }
    // Ends all rows and predictions.
    void endRows() {
        endTurn();
        forget([](const AccessSite&) { return true; });
    }
    // Reports all stores so far, and ends their predictions.
    void flushStores() {
        for (AccessSite* const site : list_)
            if (site->stores && site->used() > 0) addToRow(*site);
        forget([](const AccessSite& site) { return site.stores; });
    }
    bool holdsStores() const { return storing_ > 0; }

    // Ends an epoch; `written(array)` returns whether its block wrote to an array.
    template <class Written>
    void endEpoch(Written written) {
        endRows();
        for (const std::uint16_t at : held_.inUse) {
            const Rows& rows = held_.all[at];
            if (written(rows.array))
                show(rows);
            else if (rows.array >= sharedArrays_)
                keep(rows);
        }
        held_.clear();
    }

    // Keep and restore the reads of a block while others run within its epoch.
    using Held = Table;
    Held setAside() {
        endRows();
        return std::exchange(held_, Table{kMostHeld});
    }
    void takeBack(Held held) { held_ = std::move(held); }

    // Shows the race check what blocks have read of an allocation so far.
    void flush(std::uint32_t allocation);
    // Reports what blocks have read so far.
    void reportReads() const {
        for (const std::uint16_t at : kept_.inUse) read_(kept_.all[at]);
    }
    // Reports these reads and forgets them, at a barrier of the grid.
    void forget() {
        reportReads();
        kept_.clear();
    }

  private:
    // A hash table of rows, which grows to `most` places, a power of two.
    struct Table {
        explicit Table(std::size_t places) : all(places / 64), most(places) {}
        void clear() {
            for (const std::uint16_t at : inUse) all[at].loads = 0;
            inUse.clear();
        }
        // Joins rows to the same ones, if those are held. Otherwise adds them; if the table is
        // full, returns the rows that they replace.
        Rows add(const Rows& rows);

        std::vector<Rows> all;
        std::vector<std::uint16_t> inUse;
        std::size_t most;
    };
    std::uint32_t allocationOf(const Rows& rows) const {
        return rows.array - static_cast<std::uint32_t>(sharedArrays_);
    }
    // Predicts the next run of a row.
    static void predict(AccessSite& site) {
        site.nextThread += static_cast<std::uint32_t>(site.runThreads);
        site.next = site.start += static_cast<std::uintptr_t>(site.runStride);
        site.left = site.granted;
    }
    template <class Which>
    void forget(Which which) {
        std::size_t kept = 0;
        for (AccessSite* const site : list_)
            if (which(*site))
                disarm(*site);
            else
                list_[kept++] = site;
        list_.resize(kept);
    }
    void forgetIdle();
    void disarm(AccessSite& site);
    void addToRow(AccessSite& site);
    void closeRow(AccessSite& site);
    void endRows(const AccessSite& site);
    void keep(Rows rows);
    void show(const Rows& rows);
    void showBlocks(const Rows& rows);

    std::vector<AccessSite> sites_ = std::vector<AccessSite>(kSites);
    std::vector<AccessSite*> list_;  // those that may have a run or a row
    std::size_t storing_ = 0;        // of these, those of stores
    std::uint32_t launch_ = 0;       // no two have the same number
    std::uint32_t thread_ = 0;       // the one that has the turn
    std::uint64_t* loads_ = nullptr;
    std::size_t sharedArrays_ = 0;
    std::uintptr_t threadLocals_ = 0;
    const Actor* actor_ = nullptr;
    Races* races_ = nullptr;
    Show stored_, read_;
    std::vector<Rows> ended_;  // the last rows of each site
    static constexpr std::size_t kMostHeld = 4096;
    Table held_{kMostHeld};  // of this epoch, by threads
    Table kept_{65536};      // of this launch, by blocks
};

}  // namespace cusim
