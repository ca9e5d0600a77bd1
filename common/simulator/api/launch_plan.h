// What a launch is to do, decided before its first block runs. A launch goes through three values:
// LaunchPlan -> LaunchRun (launch_run.h) -> LaunchReport (simulator.h), in this order, in
// launch.cpp. A launch that runs a second time has a second plan and a second run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "simulator/engine/block_runner.h"
#include "simulator/include/cusim/launch.h"

namespace cusim {

class HappensBefore;

// What the launches of a program so far tell of the next ones. Outlives reset().
struct LaunchHistory {
    struct OfKernel {
        int copied = 0;               // launches whose memory was copied for a second run
        bool suspected = false;       // a race was suspected in one
        bool endless = false;         // one did not come to an end
        bool waitsForOthers = false;  // its blocks wait for blocks after them
    };
    std::map<std::string, OfKernel> kernels;
    // The kernel that is exchanged, and what runs in its place.
    const void* exchanged = nullptr;
    const void* inItsPlace = nullptr;

    static LaunchHistory& instance();
};

// A call of a kernel with its readable name, and, if the kernel is exchanged, with arguments that
// call what runs in its place.
class NamedCall {
  public:
    explicit NamedCall(const KernelCall& given);
    NamedCall(const NamedCall&) = delete;
    NamedCall& operator=(const NamedCall&) = delete;
    const KernelCall& call() const { return call_; }
    bool isExchanged() const { return !arguments_.empty(); }

  private:
    std::string name_;
    std::vector<std::byte> arguments_;
    KernelCall call_;
};

// The plan of a second run is a copy with some other members. `call` outlives all copies.
struct LaunchPlan {
    LaunchPlan(const LaunchConfig& launched, const KernelCall& kernelCall);
    // Has all blocks run at the same time, on one host thread.
    LaunchPlan sideBySide() const;
    // Has each access judged by `judge`, in the order of this plan or in the opposite one.
    LaunchPlan secondRun(HappensBefore& judge, bool opposite) const;
    LaunchHistory::OfKernel& history() const;

    LaunchConfig config;
    const KernelCall& call;
    std::uint64_t blocks;
    double ofLimit;  // the part of the limits in Options that it may use, see watchdog.h
    Schedule schedule;
    std::vector<std::uint32_t> turns;  // the block of each turn; empty: in order
    HappensBefore* model = nullptr;    // in a second run
};

}  // namespace cusim
