#include "simulator/observers/runs.h"

#include <atomic>
#include <cstdlib>
#include <utility>

namespace cusim {
namespace {

constexpr std::int32_t kMostLoads = 1 << 30;

// Predicts the rest of a run, from an address of its array on, as far as the array surely reaches.
void grant(AccessSite& site, std::uintptr_t address) {
    const std::uintptr_t room =
        site.stride < 0 ? address - site.low : site.low + site.bytes - 4 - address;
    const auto most = static_cast<std::uintptr_t>(kMostLoads - site.granted);
    site.left =
        static_cast<std::int32_t>(site.stride == 0 ? most : std::min(most, room >> site.shift));
    site.granted += site.left;
    site.next = address + static_cast<std::uintptr_t>(site.stride);
}

// Returns the last address of a run that has the length of those of the row.
std::uintptr_t endOf(const AccessSite& site, std::uintptr_t start) {
    return start + static_cast<std::uintptr_t>((site.loads - 1) * site.stride);
}

// Returns how many more runs surely lie in the array.
std::int32_t roomAfter(const AccessSite& site) {
    constexpr std::uintptr_t kMost = 1 << 16;  // threads
    const std::uintptr_t last = endOf(site, site.start);
    const std::uintptr_t room = site.runStride < 0
                                    ? std::min(site.start, last) - site.low
                                    : site.low + site.bytes - 4 - std::max(site.start, last);
    const auto each = static_cast<std::uintptr_t>(std::abs(site.runStride));
    return static_cast<std::int32_t>(each == 0 ? kMost : std::min(kMost, room / each));
}

}  // namespace

void Rows::simplify() {
    // Joins those that access the same words.
    const auto unite = [&](std::intptr_t& by, std::int32_t& count, std::int32_t& threads) {
        if (count == 1) by = 0;
        if (by != 0) return;
        const std::int32_t more = (count - 1) * threads;
        lowest += static_cast<std::uint32_t>(std::min(more, 0));
        highest += static_cast<std::uint32_t>(std::max(more, 0));
        count = 1;
        threads = 0;
    };
    std::int32_t none = 0;
    unite(stride, loads, none);
    unite(runStride, runs, runThreads);
    unite(rowStride, rows, rowThreads);
}

bool Rows::add(const Rows& row) {
    if (!alike(row)) return false;
    const auto by = static_cast<std::intptr_t>(row.offset - offset);
    const auto threads = static_cast<std::int32_t>(row.lowest - lowest);
    if (rows == 1) {
        rowStride = by;
        rowThreads = threads;
    }
    if (by != rows * rowStride || threads != rows * rowThreads) return false;
    ++rows;
    return true;
}

Rows Runs::Table::add(const Rows& rows) {
    const bool crowded = inUse.size() > all.size() / 2;
    if (crowded && all.size() < most) {
        Table larger(most);
        larger.all.resize(2 * all.size());
        for (const std::uint16_t at : inUse) larger.add(all[at]);
        *this = std::move(larger);
        return add(rows);
    }
    const std::size_t first = rows.hash() % all.size();
    for (std::size_t i = first; !crowded || i < first + 4; ++i) {
        Rows& here = all[i % all.size()];
        if (here.loads > 0 && !here.same(rows)) continue;
        if (here.loads == 0) {
            inUse.push_back(static_cast<std::uint16_t>(i % all.size()));
            here = rows;
        }
        here.join(rows);
        return {};
    }
    return std::exchange(all[first], rows);
}

void Runs::begin(std::uint64_t* loads, std::size_t sharedArrays, std::uintptr_t threadLocals,
                 const Actor* actor, Races* races, Show stored, Show read) {
    static std::atomic<std::uint32_t> launches{0};
    launch_ = ++launches;
    ended_.clear();
    held_.clear();
    kept_.clear();
    loads_ = loads;
    sharedArrays_ = sharedArrays;
    threadLocals_ = threadLocals;
    actor_ = actor;
    races_ = races;
    stored_ = std::move(stored);
    read_ = std::move(read);
}

void Runs::begin(AccessSite& site, std::uintptr_t address) {
    if (!std::exchange(site.isKnown, true)) {
        list_.push_back(&site);
        storing_ += site.stores;
    }
    site.start = address;
    if (site.runs == 1 && thread_ != site.first && site.inArray(endOf(site, address))) {
        // The row's second run determines where the others start.
        site.runStride = static_cast<std::intptr_t>(address - site.row);
        site.mostRuns = 0;
        site.granted = site.loads;
        site.left = site.loads - 1;
        site.next = address + static_cast<std::uintptr_t>(site.stride);
        return;
    }
    closeRow(site);
    site.granted = 1;
    grant(site, address);
}

bool Runs::continueRun(AccessSite& site, std::uintptr_t address) {
    site.left = std::max(site.left, 0);  // the hook may have made it -1
    const std::int32_t used = site.used();
    if (used == 0 || used == kMostLoads || !site.inArray(address)) return false;
    if (address != site.next && used > 1) return false;
    closeRow(site);  // its runs are shorter, or have another stride
    if (address != site.next) {
        site.stride = static_cast<std::intptr_t>(address - site.start);
        site.shift = 2;
        while (std::intptr_t{1} << site.shift < std::abs(site.stride)) ++site.shift;
    }
    site.granted = used + 1;
    grant(site, address);
    return true;
}

void Runs::endRun(AccessSite& site) {
    closeRow(site);
    addToRow(site);
    endRow(site);
}

// Adds the run of the thread that has the turn to the row, or begins a new row with it.
void Runs::addToRow(AccessSite& site) {
    const std::int32_t used = site.used();
    if (site.runs == 1) site.runThreads = static_cast<std::int32_t>(thread_ - site.first);
    const bool fits =
        used == site.loads && (site.runs == 1 || (site.runs > 1 && site.nextThread == thread_));
    if (!fits) {
        closeRow(site);
        site.row = site.start;
        site.loads = used;
        site.first = thread_;
    }
    ++site.runs;
    site.nextThread = thread_;
    site.mostRuns = site.runs + roomAfter(site);
    site.granted = used;
    predict(site);
    if (site.runs < site.mostRuns) return;
    site.next = AccessSite::kClosed;
    site.left = site.granted = 0;
}

// Ends the row; the current run does not belong to it.
void Runs::closeRow(AccessSite& site) {
    const std::int32_t runs = std::exchange(site.runs, 0);
    site.mostRuns = 0;
    if (runs == 0) return;
    site.noteGain(std::int64_t{runs} * site.loads);
    Rows row;
    row.place = site.place;
    row.offset = site.row - (site.array < sharedArrays_ ? threadLocals_ : site.low);
    row.stride = site.stride;
    row.runStride = site.runStride;
    row.loads = site.loads;
    row.runs = runs;
    row.array = site.array;
    row.lowest = row.highest = site.first;
    row.runThreads = site.runThreads;
    Rows& ended = ended_[site.index];
    if (ended.loads > 0 && ended.add(row)) return;
    endRows(site);
    ended = row;
}

// Reports all rows of a site that have ended.
void Runs::endRows(const AccessSite& site) {
    Rows& ended = ended_[site.index];
    Rows rows = std::exchange(ended, {});
    if (rows.loads == 0) return;
    if (site.stores) return stored_(rows);
    loads_[rows.array] += rows.accesses();
    if (!races_) return;
    rows.simplify();
    const Rows other = held_.add(rows);
    if (other.loads > 0) show(other);
}

void Runs::endRow(AccessSite& site) {
    closeRow(site);
    site.next = AccessSite::kClosed;
    site.left = site.granted = 0;
}

void Runs::give(AccessSite& site, const void* place, bool stores) {
    endRow(site);
    endRows(site);
    const AccessSite before = std::exchange(site, {});
    if (before.isKnown) storing_ += std::size_t{stores} - std::size_t{before.stores};
    site.place = place;
    site.stores = stores;
    site.isKnown = before.isKnown;
    site.launch = before.launch;
    site.index = before.index;
}

void Runs::disarm(AccessSite& site) {
    endRow(site);
    endRows(site);
    site.isKnown = false;
    storing_ -= site.stores;
}

void Runs::forgetIdle() {
    forget([](const AccessSite& site) { return site.used() == 0; });
}

void Runs::keep(Rows rows) {
    rows.lowest = rows.highest = actor_->block;
    rows.runThreads = rows.rowThreads = 0;
    const Rows other = kept_.add(rows);
    if (other.loads > 0) showBlocks(other);
}

void Runs::flush(std::uint32_t allocation) {
    for (const std::uint16_t at : kept_.inUse)
        if (kept_.all[at].array == sharedArrays_ + allocation) showBlocks(kept_.all[at]);
}

// Shows the race check each read of rows in this epoch.
void Runs::show(const Rows& rows) {
    if (rows.array >= sharedArrays_) read_(rows);
    const Instruction instruction = rows.instruction(AccessKind::Load);
    Actor actor{actor_->block, actor_->epoch, 0, 0};
    rows.forEach([&](std::size_t offset, std::uint32_t lowest, std::uint32_t highest) {
        for (const std::uint32_t thread : {lowest, highest}) {
            actor.thread = static_cast<std::uint16_t>(thread);
            if (rows.array < sharedArrays_)
                races_->onShared(offset, 4, instruction, actor);
            else
                races_->onGlobal(allocationOf(rows), offset, 4, instruction, actor);
        }
    });
}

// Shows the race check which blocks have made the rows' reads in earlier epochs.
void Runs::showBlocks(const Rows& rows) {
    read_(rows);
    const Instruction instruction = rows.instruction(AccessKind::Load);
    rows.forEach([&](std::size_t offset, std::uint32_t lowest, std::uint32_t highest) {
        races_->meetGlobal(allocationOf(rows), offset, instruction, lowest, highest);
    });
}

}  // namespace cusim
