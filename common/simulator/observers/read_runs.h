// Reads that go on as foreseen. In a loop, a load instruction mostly reads with one stride. Such a
// run of one thread is only followed while it lasts, and looked at as a whole when it ends: the
// race check sees the same reads, later in the same stretch between barriers, where their order
// does not matter. A run that many threads or blocks repeat is kept once, and runs over an array
// that nothing has written to since need no look at all.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "simulator/memory/access.h"
#include "simulator/observers/races.h"

namespace cusim {

// A load instruction of 4 bytes and its run. The hook needs the first four members alone.
struct alignas(64) ReadSite {
    static constexpr std::uintptr_t kClosed = UINTPTR_MAX;

    const void* place = nullptr;    // the hook's return address
    std::uintptr_t next = kClosed;  // the address with which the run goes on
    std::intptr_t stride = 4;       // in bytes
    std::int32_t left = 0;          // reads until the array's edge must be looked at again
    std::int32_t granted = 0;
    std::uintptr_t start = 0;           // the run's first address
    std::uintptr_t low = 0, bytes = 0;  // the array that was last read
    std::uint32_t array = 0;            // its counter: shared arrays first, then allocations
    std::uint8_t shift = 2;             // |stride| is at most 1 << shift
    std::uint8_t vain = 0;              // runs on end that were too short to gain anything

    // A row: single reads of threads that took their turns one after the other.
    bool single = false;  // the last run was of one read
    std::uint16_t firstOfRow = 0;
    std::int32_t readsOfRow = 0;
    std::uintptr_t row = 0, nextOfRow = 0;  // its first address, and that with which it goes on
    std::intptr_t strideOfRow = 4;
    bool isKnown = false;  // in the list of sites that may have a row

    // Takes a read up that goes on with the open run.
    bool goesOn(std::uintptr_t address, const void* from) {
        if (place != from || next != address || --left < 0) return false;
        next += static_cast<std::uintptr_t>(stride);
        return true;
    }
    bool isOpen() const { return next != kClosed; }
    bool gaveUp() const { return vain == 64; }
    void noteGain(std::int32_t reads) {
        if (reads >= 4)
            vain = 0;
        else if (!gaveUp())
            ++vain;
    }
    // Tests whether the thread's read is the last of the row.
    bool endsRow(std::uint16_t thread) const {
        return readsOfRow > 0 && thread == firstOfRow + readsOfRow - 1;
    }
    bool inArray(std::uintptr_t address) const {
        return address - low < bytes && bytes - (address - low) >= 4 && address % 4 == 0;
    }
};

class ReadRuns {
    struct Runs;

  public:
    static constexpr std::size_t kSites = 512;
    // Gives all instructions of 4 KiB of code sites of their own.
    static std::size_t siteOf(const void* place) {
        return reinterpret_cast<std::uintptr_t>(place) / 8 % kSites;
    }
    ReadSite* sites() { return sites_.data(); }

    // Begins a launch. `loads` counts by array; null `races`: no race check.
    void begin(std::uint64_t* loads, std::size_t sharedArrays, std::uintptr_t threadLocals,
               const Actor* actor, Races* races);

    // Goes on with an open run where goesOn() does not: past the reads that were granted, or with
    // another stride than foreseen. Returns false where the run does not go on.
    static bool goOn(ReadSite& site, std::uintptr_t address);
    // Takes up a read of the running thread that goes on with no run. The site knows its array.
    void begin(ReadSite& site, std::uintptr_t address);
    void close(ReadSite& site);
    // Ends the site's row, before it gets another array.
    void endRow(ReadSite& site);
    // Gives the site, which has no open run, to another instruction.
    void give(ReadSite& site, const void* place);
    // Ends all runs. Called when the running thread gives up its turn or its stretch ends.
    void closeAll() {
        while (opened_ > 0) close(*open_[opened_ - 1]);
    }

    // Ends a stretch between barriers; `written(array)` tells whether its block wrote to an array.
    template <class Written>
    void endEpoch(Written written) {
        endRows();
        for (const std::uint16_t at : held_.inUse) {
            const Run& run = held_.runs[at];
            if (written(run.array))
                show(run);
            else if (run.array >= sharedArrays_)
                keep(run);
        }
        held_.clear();
    }

    // Give and take what a block has read that lets others run within a stretch.
    using Held = Runs;
    Held setAside() {
        endRows();
        return std::exchange(held_, Runs{kMostHeld});
    }
    void takeBack(Held held) { held_ = std::move(held); }

    // Shows the race check what blocks have read of an allocation so far.
    void settle(std::uint32_t allocation);
    // Forgets what they have read, at a barrier of the grid.
    void forget() { kept_.clear(); }

  private:
    struct Run {
        const void* place = nullptr;
        std::size_t offset = 0;  // where it starts, as the race check counts
        std::intptr_t stride = 0;
        std::int32_t loads = 0;  // 0: no run
        std::uint32_t array = 0;
        std::uint32_t lowest = 0, highest = 0;  // threads, or blocks
        bool isRow = false;  // each read is of the next thread, from the lowest on

        bool same(const Run& other) const {
            return offset == other.offset && place == other.place && loads == other.loads &&
                   stride == other.stride && array == other.array && isRow == other.isRow &&
                   (!isRow || lowest == other.lowest);
        }
        std::size_t hash() const {
            return (offset / 4 + reinterpret_cast<std::uintptr_t>(place)) * 0x9E3779B97F4A7C15U >>
                   32;
        }
        void join(const Run& other) {
            lowest = std::min(lowest, other.lowest);
            highest = std::max(highest, other.highest);
        }
        // Returns how many of the reads the race check must see.
        std::uint32_t reads() const {
            return stride == 0 && !isRow ? 1 : static_cast<std::uint32_t>(loads);
        }
        Instruction instruction() const;
    };
    // A hash table of runs, which grows to `most` places, a power of two.
    struct Runs {
        explicit Runs(std::size_t places) : runs(places / 64), most(places) {}
        void clear() {
            for (const std::uint16_t at : inUse) runs[at].loads = 0;
            inUse.clear();
        }
        // Joins a run to the same one, if that is held. Otherwise takes it in; where it is full,
        // returns the one whose place the run took.
        Run add(const Run& run);

        std::vector<Run> runs;
        std::vector<std::uint16_t> inUse;
        std::size_t most;
    };
    std::uint32_t allocationOf(const Run& run) const {
        return run.array - static_cast<std::uint32_t>(sharedArrays_);
    }
    // Ends all runs and rows.
    void endRows() {
        closeAll();
        for (ReadSite* const site : rows_) {
            endRow(*site);
            site->isKnown = false;
        }
        rows_.clear();
    }
    void addToRow(ReadSite& site, std::uintptr_t address);
    void hold(const ReadSite& site, Run run);
    void keep(Run run);
    void show(const Run& run);
    void showBlocks(const Run& run);

    std::vector<ReadSite> sites_ = std::vector<ReadSite>(kSites);
    std::array<ReadSite*, kSites> open_{};
    std::size_t opened_ = 0;
    std::vector<ReadSite*> rows_;
    std::uint16_t thread_ = 0;  // whose runs are open
    std::uint64_t* loads_ = nullptr;
    std::size_t sharedArrays_ = 0;
    std::uintptr_t threadLocals_ = 0;
    const Actor* actor_ = nullptr;
    Races* races_ = nullptr;
    static constexpr std::size_t kMostHeld = 4096;
    Runs held_{kMostHeld};  // of this stretch, by threads
    Runs kept_{65536};      // of this launch, by blocks
};

}  // namespace cusim
