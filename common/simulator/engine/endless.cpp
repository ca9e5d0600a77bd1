#include "simulator/engine/endless.h"

#include <algorithm>

#include "simulator/findings/loops.h"

namespace cusim {
namespace {

// With fewer samples than this, an inner loop may hide the outer one that does not end.
constexpr std::size_t kEnoughSamples = 30;

struct Suspects {
    std::string file;
    std::vector<Loop> loops;  // one of them does not end; the last is the likeliest
};

// Returns the loops around all sampled lines of the thread in one function: the innermost function
// that has such loops. After enough samples, returns the innermost loop only.
Suspects suspectsOf(const std::vector<SourceLine>& frames, const Progress& seen) {
    for (const SourceLine& frame : frames) {
        std::vector<int> lines{frame.line};
        std::size_t looks = 0;
        for (const void* const address : seen.seenAt()) {
            // placeOf() takes a return address, which is one past the call.
            const SourceLine place = placeOf(static_cast<const char*>(address) + 1);
            if (place.file != frame.file || place.function != frame.function) continue;
            lines.push_back(place.line);
            ++looks;
        }
        std::vector<Loop> loops = loopsAround(frame.file, lines);
        if (loops.empty()) continue;
        if (looks >= kEnoughSamples) loops.erase(loops.begin(), loops.end() - 1);
        return {frame.file, loops};
    }
    return {};
}

// Places the finding at the likeliest loop. Returns false if there is none.
bool standAt(Finding& finding, const Suspects& suspects) {
    if (suspects.loops.empty()) return false;
    finding.file = suspects.file;
    finding.line = suspects.loops.back().first;
    for (auto outer = suspects.loops.rbegin() + 1; outer != suspects.loops.rend(); ++outer)
        if (outer->first != finding.line)
            finding.details.push_back(
                joined("or in the loop of line ", outer->first, ", which is around it"));
    return true;
}

constexpr const char* kCheck = "Check the condition of the loop around this line.";
constexpr const char* kAsk =
    "Check that every round changes a variable of the loop's condition, in the direction of its "
    "end. If it does, check that the end is not far too large.";

Finding endless(const char* kind, const std::string& what, const std::string& remedy,
                const std::vector<SourceLine>& frames, const Progress& seen) {
    Finding finding(kind,
                    what + " does not come to an end: it has been running here for a long time",
                    frames.empty() ? Place{} : Place(frames.front()), kCheck + remedy);
    const Suspects suspects = suspectsOf(frames, seen);
    if (standAt(finding, suspects)) {
        finding.title = what + " does not come to an end: it stays in this loop";
        finding.remedy =
            kAsk + ifNarrow(suspects.file, suspects.loops.back().last, finding.causedAt) + remedy;
    }
    return finding;
}

}  // namespace

Finding endlessThread(const std::vector<SourceLine>& frames, const Progress& seen) {
    return endless(
        "endless-kernel", "the kernel",
        " A thread must not wait for a value that another thread stores: use __syncthreads().",
        frames, seen);
}

Finding endlessHost(const std::vector<SourceLine>& frames, const Progress& seen) {
    if (seen.waits())
        return {"endless-host", "host code waits for something that does not happen",
                frames.empty() ? Place{} : Place(frames.front()),
                "Remove calls that sleep, read input, or lock a mutex that is already locked. "
                "Tests give no input, and CUDA calls wait without help."};
    return endless("endless-host", "host code", "", frames, seen);
}

Finding endlessWait(const Place& at, bool together) {
    return {
        "endless-kernel",
        "the kernel does not come to an end: threads wait here for ever",
        at,
        joined(
            "Find the thread that should store this value, and check that it can reach its store.",
            together ? ""
                     : " The simulated device runs the blocks of this launch one after another. If "
                       "a block must wait for later blocks, launch the kernel with "
                       "cudaLaunchCooperativeKernel."),
        {joined("all threads of the ", together ? "blocks" : "block",
                " that have not ended wait for a value that none of them stores")}};
}

Finding waitForHost(const Place& at) {
    return {
        "unsupported",
        "the kernel waits for a value in memory that the host may write, and no thread stores it",
        at,
        "On the simulated device a launch ends before the host goes on. If the host is meant to "
        "store the value after the launch, run the program on a card."};
}

Finding endlessBarriers(const Where& barrier, std::uint64_t most) {
    Finding finding("endless-kernel", "the kernel does not come to an end: it stays in this loop",
                    barrier, kAsk,
                    {joined("a block has passed more than ", most,
                            " barriers, the last one in line ", barrier.line)});
    if (!standAt(finding, {barrier.file, loopsAround(barrier.file, {barrier.line})})) {
        finding.title = "the kernel does not come to an end: it passes barriers without end";
        finding.remedy = kCheck;
    }
    return finding;
}

}  // namespace cusim
