// Judges barriers by the simulated device's record: enough of them, reached by all threads, and not
// too many.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "lab2_tiled/hazards/values.h"
#include "testing/guarded_sim.h"
#include "testing/lab_sim.h"

namespace hazards {

// Returns the orders to try. The command line's comes first, because a student asks for its
// findings.
inline std::vector<std::string> schedules() {
    std::vector<std::string> all{cusim::options().schedule};
    for (const char* other : {"forward", "reverse", "random:1", "random:2", "random:3"})
        if (all.front() != other) all.emplace_back(other);
    return all;
}

// Returns the launch of the code that ran last; fails the test if there is none.
inline const cusim::LaunchReport& onlyLaunch(const lab::Text& about) {
    return lab::givenLaunchOf(about, "hazards.cu");
}

// The most barriers that a thread has executed in calls of each function whose results were right
// and no threads raced.
inline std::map<std::string, std::uint64_t>& barriersOfRightCalls() {
    static std::map<std::string, std::uint64_t> most;
    return most;
}

// Fails the test if the order of the threads matters: requires no race, all threads at all
// barriers, and the right result in every order. A kernel with `enough` barriers gets no advice
// to add one; 0 means an unknown number. `seen` adds the device's observations of a run with a
// wrong result.
inline void expectSynchronized(const Todo& todo, std::uint64_t enough, const Trial& given,
                               const std::function<std::string()>& seen = {}) {
    for (const std::string& schedule : schedules()) {
        const lab::ChosenOptions chosen;
        cusim::options().schedule = schedule;
        cusim::options().enoughBarriers = enough;
        Trial trial = given;
        {
            INFO("SCHEDULE=" << schedule);
            lab::run(todo, lab::gives(trial.out), [&] { trial.call(trial.out.data()); });
        }
        const auto guess = [&](const matrix::Matrix& got) {
            if (const std::string own = exact::loadsOfResult(got.data(), trial.filled);
                !trial.filled.empty() && !own.empty())
                return own;
            const auto& launches = cusim::launches();
            if (!launches.empty() &&
                launches.front().staticSharedBytes + launches.front().dynamicSharedBytes == 0)
                return std::string(
                    "No array is in shared memory, so each thread has its own arrays. Declare "
                    "them\nwith __shared__.");
            const std::string guessed = trial.guess(got), more = seen ? seen() : "";
            return guessed + (guessed.empty() || more.empty() ? "" : "\n") + more;
        };
        exact::expectEqual(trial.function, trial.out, trial.wanted, guess,
                           " No threads race: no barrier is\nmissing.");
        if (cusim::launches().empty() || !testing::judges()) continue;
        std::uint64_t& most = barriersOfRightCalls()[trial.function];
        most = std::max(most, cusim::launches().front().barriersPerThread);
    }
}

// Fails the test if a thread executes more than `enough` barriers, here or in a call whose results
// were right; `why` explains the number.
inline void expectNoMoreBarriers(const Todo& todo, const std::string& function,
                                 std::uint64_t enough, const std::string& why) {
    const auto& launch = onlyLaunch(todo);
    if (!launch.completed)
        lab::fail("barrier-divergence", todo,
                  "the kernel does not reach its end, so the test cannot count its\nbarriers.");
    lab::expectOneLaunch(todo, "the whole result");
    const std::uint64_t barriers =
        std::max(launch.barriersPerThread, barriersOfRightCalls()[function]);
    if (barriers <= enough) return;
    lab::fail("too-many-barriers", todo, "a thread executes {}, but {}{}{}",
              lab::count(barriers, "barrier"), enough,
              (enough == 1 ? " is enough.\n" : " are enough.\n"), why);
}

// Runs a kernel for its counts only: other tests judge its findings.
inline const cusim::LaunchReport& countedLaunch(const lab::Text& about, Trial trial) {
    cusim::reset();
    testing::guarded(lab::gives(trial.out), [&] { trial.call(trial.out.data()); });
    return onlyLaunch(about);
}

// Fails the test if the kernel needs no barrier: it then has no race if barriers order nothing.
inline void expectBarriersNeeded(const Todo& todo, const Trial& trial) {
    const lab::ChosenOptions chosen;
    cusim::options().barriersOrder = false;
    countedLaunch(todo, trial);
    if (!lab::findingsOf("race").empty()) return;
    lab::fail("tiles-not-shared", todo,
              "{}: no thread uses what another thread has stored in shared\nmemory, so no barrier "
              "is needed. Keep the kernel's arrays, and place\nthe barriers.",
              trial.function);
}

// Fails the test if the kernel stores more than each element of its result once, or the host
// does not notice a call that fails.
inline void expectStoredOnce(const lab::Text& about, const Trial& trial) {
    const std::uint64_t stores = onlyLaunch(about).global().storedBytes / sizeof(float);
    if (stores <= trial.out.size()) return;
    lab::fail("store-count", about, "{} to device memory for {}. Store each\nelement once.",
              lab::count(stores, "store"), lab::count(trial.out.size(), "element"));
}

inline void expectCallsChecked(const lab::Text& about, Trial trial) {
    lab::expectCallsChecked(about, lab::gives(trial.out), [&] { trial.call(trial.out.data()); });
}

}  // namespace hazards
