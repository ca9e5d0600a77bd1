// The plan of a launch, made before its first block runs. A launch goes through three values:
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

// What earlier launches of a program predict for the next ones. Outlives reset().
struct LaunchHistory {
    struct OfKernel {
        int copied = 0;               // launches whose memory was copied for a second run
        bool suspected = false;       // a race was suspected in one
        bool endless = false;         // one did not end
        bool waitsForOthers = false;  // its blocks wait for blocks after them
    };
    std::map<std::string, OfKernel> kernels;
    // The kernel that is exchanged, and its replacement.
    const void* exchanged = nullptr;
    const void* inItsPlace = nullptr;

    static LaunchHistory& instance();
};

// A call of a kernel with its readable name. If the kernel is exchanged, its arguments call the
// replacement.
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
    // Returns a plan to run all blocks at the same time, on one host thread.
    LaunchPlan sideBySide() const;
    // Returns a plan in which `judge` sees each access, in the same order or in the opposite one.
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
