#include "simulator/observers/read_runs.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace cusim {
namespace {

constexpr std::int32_t kMostLoads = 1 << 30;

// Returns the reads so far of an open run: the first, and those of the granted that are used up.
std::int32_t loadsOf(const ReadSite& site) { return 1 + site.granted - site.left; }

// Lets a run that has come to an address of its array go on as far as the array surely reaches.
void grant(ReadSite& site, std::uintptr_t address) {
    const std::uintptr_t room =
        site.stride < 0 ? address - site.low : site.low + site.bytes - 4 - address;
    const auto most = static_cast<std::uintptr_t>(kMostLoads - site.granted);
    site.left =
        static_cast<std::int32_t>(site.stride == 0 ? most : std::min(most, room >> site.shift));
    site.granted += site.left;
    site.next = address + static_cast<std::uintptr_t>(site.stride);
}

}  // namespace

Instruction ReadRuns::Run::instruction() const {
    return instructionOf(place, AccessKind::Load, instructionBase());
}

ReadRuns::Run ReadRuns::Runs::add(const Run& run) {
    const bool crowded = inUse.size() > runs.size() / 2;
    if (crowded && runs.size() < most) {
        Runs larger(most);
        larger.runs.resize(2 * runs.size());
        for (const std::uint16_t at : inUse) larger.add(runs[at]);
        *this = std::move(larger);
        return add(run);
    }
    const std::size_t first = run.hash() % runs.size();
    for (std::size_t i = first; !crowded || i < first + 4; ++i) {
        Run& here = runs[i % runs.size()];
        if (here.loads > 0 && !here.same(run)) continue;
        if (here.loads == 0) {
            inUse.push_back(static_cast<std::uint16_t>(i % runs.size()));
            here = run;
        }
        here.join(run);
        return {};
    }
    return std::exchange(runs[first], run);
}

void ReadRuns::begin(std::uint64_t* loads, std::size_t sharedArrays, std::uintptr_t threadLocals,
                     const Actor* actor, Races* races) {
    std::fill(sites_.begin(), sites_.end(), ReadSite{});
    opened_ = 0;
    rows_.clear();
    held_.clear();
    kept_.clear();
    loads_ = loads;
    sharedArrays_ = sharedArrays;
    threadLocals_ = threadLocals;
    actor_ = actor;
    races_ = races;
}

void ReadRuns::begin(ReadSite& site, std::uintptr_t address) {
    thread_ = actor_->thread;
    if (site.single && !site.endsRow(thread_)) {
        ++loads_[site.array];
        return addToRow(site, address);
    }
    site.start = address;
    site.granted = 0;
    grant(site, address);
    open_[opened_++] = &site;
}

bool ReadRuns::goOn(ReadSite& site, std::uintptr_t address) {
    site.left = std::max(site.left, 0);  // from which the hook has taken one in vain
    if (!site.inArray(address)) return false;
    if (address != site.next) {
        const auto stride = static_cast<std::intptr_t>(address - site.start);
        if (loadsOf(site) > 1) return false;
        site.stride = stride;
        site.shift = 2;
        while (std::intptr_t{1} << site.shift < std::abs(stride)) ++site.shift;
        site.granted = site.left = 0;
    }
    if (site.left > 0 || site.granted == kMostLoads) return false;
    ++site.granted;  // and used up by this read
    grant(site, address);
    return true;
}

void ReadRuns::close(ReadSite& site) {
    ReadSite** const end = open_.data() + opened_--;
    *std::find(open_.data(), end, &site) = end[-1];
    site.next = ReadSite::kClosed;
    const std::int32_t loads = loadsOf(site);
    loads_[site.array] += static_cast<std::uint64_t>(loads);
    site.single = loads == 1;
    if (site.single) return addToRow(site, site.start);
    site.noteGain(loads);
    hold(site, {site.place, site.start, site.stride, loads, site.array, thread_, thread_});
}

void ReadRuns::give(ReadSite& site, const void* place) {
    endRow(site);
    const bool known = site.isKnown;
    site = {};
    site.place = place;
    site.isKnown = known;
}

// Adds the running thread's only read so far to the row, which it may end before.
void ReadRuns::addToRow(ReadSite& site, std::uintptr_t address) {
    const std::int32_t reads = site.readsOfRow;
    if (reads > 0 && thread_ == site.firstOfRow + reads &&
        (address == site.nextOfRow || reads == 1)) {
        if (reads == 1) site.strideOfRow = static_cast<std::intptr_t>(address - site.row);
        ++site.readsOfRow;
    } else {
        endRow(site);
        if (!std::exchange(site.isKnown, true)) rows_.push_back(&site);
        site.row = address;
        site.firstOfRow = thread_;
        site.readsOfRow = 1;
    }
    site.nextOfRow = address + static_cast<std::uintptr_t>(site.strideOfRow);
}

void ReadRuns::endRow(ReadSite& site) {
    const std::int32_t reads = std::exchange(site.readsOfRow, 0);
    if (reads == 0) return;
    site.noteGain(reads);
    const auto last = static_cast<std::uint32_t>(site.firstOfRow + reads - 1);
    hold(site,
         {site.place, site.row, site.strideOfRow, reads, site.array, site.firstOfRow, last, true});
}

// Holds a run whose offset is still an address.
void ReadRuns::hold(const ReadSite& site, Run run) {
    if (!races_) return;
    run.offset -= run.array < sharedArrays_ ? threadLocals_ : site.low;
    const Run other = held_.add(run);
    if (other.loads > 0) show(other);
}

void ReadRuns::keep(Run run) {
    run.lowest = run.highest = actor_->block;
    run.isRow = false;
    const Run other = kept_.add(run);
    if (other.loads > 0) showBlocks(other);
}

void ReadRuns::settle(std::uint32_t allocation) {
    for (const std::uint16_t at : kept_.inUse)
        if (kept_.runs[at].array == sharedArrays_ + allocation) showBlocks(kept_.runs[at]);
}

// Shows the race check each read of a run in this stretch.
void ReadRuns::show(const Run& run) {
    const Instruction instruction = run.instruction();
    Actor actor{actor_->block, actor_->epoch, 0, 0};
    for (std::uint32_t i = 0; i < run.reads(); ++i) {
        const std::size_t offset = run.offset + i * static_cast<std::size_t>(run.stride);
        const std::uint32_t lowest = run.isRow ? run.lowest + i : run.lowest;
        for (const std::uint32_t thread : {lowest, run.isRow ? lowest : run.highest}) {
            actor.thread = static_cast<std::uint16_t>(thread);
            if (run.array < sharedArrays_)
                races_->onShared(offset, 4, instruction, actor);
            else
                races_->onGlobal(allocationOf(run), offset, 4, instruction, actor);
        }
    }
}

// Shows it which blocks have made the run in stretches before.
void ReadRuns::showBlocks(const Run& run) {
    const Instruction instruction = run.instruction();
    for (std::uint32_t i = 0; i < run.reads(); ++i)
        races_->meetGlobal(allocationOf(run), run.offset + i * static_cast<std::size_t>(run.stride),
                           instruction, run.lowest, run.highest);
}

}  // namespace cusim
