// Describes why a block cannot go on.
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
    // One a place at which threads wait, with their number and the first of them.
    struct Group {
        Where at;
        const SimulatedThread* first;
        std::uint32_t threads = 0;
        bool warp;
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
            found = groups.insert(groups.end(),
                                  {thread.waitingAt, &thread, 0, thread.state == State::AtWarp});
        ++found->threads;
    }
    Finding finding(
        "barrier-divergence",
        groups.size() > 1 ? "threads of one block wait at different barriers for ever"
                          : "a warp function waits for lanes that never come",
        groups.front().at,
        "Every thread of a block must reach the same __syncthreads(): take it out of the branch.");
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
