// Describes why a block cannot continue.
#include <algorithm>

#include "simulator/engine/block_runner.h"
#include "simulator/engine/endless.h"
#include "simulator/findings/coordinates.h"

namespace cusim {

Finding BlockRunner::endless() const {
    const SimulatedThread* waiting = threads_[0].get();
    for (std::uint32_t i = 0; i < count_ && waiting->state == State::Done; ++i)
        waiting = threads_[i].get();
    Finding finding = endlessBarriers(waiting->waitingAt, mostRounds());
    describe(finding);
    return finding;
}

Finding BlockRunner::deadlock() const {
    // One per place at which threads wait, with their number and the first of them.
    struct Group {
        Where at;
        const SimulatedThread* first;
        std::uint32_t threads = 0;
    };
    std::vector<Group> groups;
    std::uint32_t returned = 0;
    for (std::uint32_t i = 0; i < count_; ++i) {
        const SimulatedThread& thread = *threads_[i];
        if (thread.state == State::Done) {
            ++returned;
            continue;
        }
        auto found = std::find_if(groups.begin(), groups.end(),
                                  [&](const Group& g) { return g.at == thread.waitingAt; });
        if (found == groups.end())
            found = groups.insert(groups.end(), {thread.waitingAt, &thread, 0});
        ++found->threads;
    }
    const auto ofWarp = std::find_if(groups.begin(), groups.end(), [](const Group& group) {
        return group.first->state == State::AtWarp;
    });
    const bool ofObject = std::any_of(groups.begin(), groups.end(), [](const Group& group) {
        return group.first->state == State::AtObject;
    });
    Finding finding(
        "barrier-divergence",
        groups.size() > 1 ? "threads of one block wait at different barriers for ever"
        : ofObject        ? "threads wait for ever at a barrier at which too few threads arrive"
                          : "a warp function waits for lanes that never reach it",
        groups.front().at,
        ofObject ? "In each phase, as many threads must arrive as init() was given."
        : ofWarp != groups.end() && ofWarp->first->isWhole
            ? joined("The call in line ", Place(ofWarp->at).line,
                     " waits for all 32 lanes of the warp: let all of them come to it. A "
                     "__syncthreads() waits for all threads of the block.")
        : ofWarp != groups.end()
            ? joined("The call in line ", Place(ofWarp->at).line,
                     " waits for all lanes that its mask names: let the mask name only the lanes "
                     "that come, or let all of them come. A __syncthreads() waits for all threads "
                     "of the block.")
            : "Every thread of a block must reach the same __syncthreads(): take it out of the "
              "branch.");
    for (const Group& group : groups) {
        finding.others.emplace_back(group.at);
        const bool shared = std::any_of(groups.begin(), groups.end(), [&](const Group& other) {
            return &other != &group && other.at.line == group.at.line;
        });
        finding.details.push_back(
            joined(counted(group.threads, "thread"), group.threads == 1 ? " waits" : " wait",
                   " at ", text(group.at), shared ? joined(", column ", group.at.column()) : "",
                   ", the first is thread ", coordinates(group.first->index)));
    }
    if (returned > 0) finding.details.push_back(joined(returned, " threads have returned already"));
    describe(finding);
    finding.inThread = false;
    return finding;
}

Finding BlockRunner::lostInGrid() const {
    const SimulatedThread* waiting = threads_[0].get();
    for (std::uint32_t i = 0; i < count_ && waiting->state == State::Done; ++i)
        waiting = threads_[i].get();
    Finding finding("barrier-divergence",
                    "blocks of the grid wait for ever for other blocks, which have returned",
                    waiting->waitingAt,
                    "Every block of the grid must reach the same sync() of the grid: take it out "
                    "of the branch, and let no block return before it.");
    finding.kernel = call_->name;
    finding.block = block_;
    return finding;
}

void BlockRunner::noteSkipped(const SkippedBarrier& one) {
    const auto found = std::find_if(skipped_.begin(), skipped_.end(),
                                    [&](const SkippedBarrier& s) { return s.at == one.at; });
    if (found == skipped_.end()) {
        skipped_.push_back(one);
        return;
    }
    found->count += one.count;
    if (one.block >= found->block) return;
    found->block = one.block;
    found->thread = one.thread;
}

void BlockRunner::addBarriers(const BlockRunner& other) {
    for (const Where& at : other.barrierSites_)
        if (std::find(barrierSites_.begin(), barrierSites_.end(), at) == barrierSites_.end())
            barrierSites_.push_back(at);
    for (const SkippedBarrier& one : other.skipped_) noteSkipped(one);
    mostBarriers_ = std::max(mostBarriers_, other.mostBarriers_);
}

void BlockRunner::describe(Finding& finding) const {
    finding.kernel = call_->name;
    if (finding.file.empty()) {
        // After a call through a wild function pointer, for example, only the launch's line is
        // known.
        finding.file = call_->at.file;
        finding.line = call_->at.line;
    }
    finding.block = block_;
    if (current_) finding.thread = current_->index;
}

}  // namespace cusim
