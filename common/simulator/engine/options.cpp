// Reads the options from the environment; make sets it from its variables.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>

#include "simulator/engine/block_runner.h"
#include "simulator/engine/device_profile.h"
#include "simulator/observers/trace.h"
#include "simulator/simulator.h"

namespace cusim {
namespace {

[[noreturn]] void refuse(const char* variable, const std::string& value, const char* remedy) {
    std::fprintf(stderr, "%s: '%s' is not understood; %s\n", variable, value.c_str(), remedy);
    std::exit(2);
}

void readChecks(const std::string& list, Options& o) {
    o.count = o.races = o.unset = o.warps = false;
    if (list == "none") return;
    std::istringstream names(list);
    const std::map<std::string, bool*> observers = {
        {"counters", &o.count}, {"races", &o.races}, {"unset", &o.unset}, {"warps", &o.warps}};
    for (std::string name; std::getline(names, name, ',');) {
        const auto observer = observers.find(name);
        if (observer == observers.end())
            refuse("CHECKS", list, "write none, or a list such as counters,races,unset,warps");
        *observer->second = true;
    }
}

Options read() {
    Options o;
    if (const char* workers = std::getenv("CUSIM_WORKERS")) {
        o.workers = std::atoi(workers);
        if (o.workers < 1 || o.workers > 256)
            refuse("CUSIM_WORKERS", workers, "write a number of host threads, 1 to 256");
    }
    if (const char* schedule = std::getenv("CUSIM_SCHEDULE")) {
        Schedule ignored;
        if (!Schedule::parse(schedule, ignored))
            refuse("SCHEDULE", schedule, "write forward, reverse or random:SEED");
        o.schedule = schedule;
        // One host thread makes the order the same on every run.
        if (o.workers == 0) o.workers = 1;
    }
    if (const char* profile = std::getenv("CUSIM_PROFILE")) {
        std::string names;
        for (const std::string& name : profileNames()) names += (names.empty() ? "" : ", ") + name;
        if (!isProfile(profile)) refuse("PROFILE", profile, ("write one of " + names).c_str());
        o.profile = profile;
    }
    if (const char* checks = std::getenv("CUSIM_CHECKS")) readChecks(checks, o);
    if (const char* trace = std::getenv("CUSIM_TRACE")) {
        o.trace = trace;
        beginTrace(trace);
    }
    if (const char* recording = std::getenv("CUSIM_RECORDING")) o.recording = recording;
    if (const char* counts = std::getenv("CUSIM_COUNTS")) o.counts = counts;
    return o;
}

// Reads them before anything else, so that a wrong value does not look like the program's result.
const Options& atStart = options();

}  // namespace

Options& options() {
    static Options given = read();
    return given;
}

}  // namespace cusim
