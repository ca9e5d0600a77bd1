// Resets the device and the options, which a test may then change, and restores both at its end.
#pragma once

#include "simulator/simulator.h"

class ChosenOptions {
  public:
    ChosenOptions() {
        // The defaults, whatever CUSIM_SCHEDULE and CUSIM_WORKERS say.
        cusim::options() = cusim::Options{};
        cusim::reset();
    }
    explicit ChosenOptions(int workers) : ChosenOptions() { cusim::options().workers = workers; }
    ~ChosenOptions() {
        cusim::options() = before_;
        cusim::reset();
    }
    ChosenOptions(const ChosenOptions&) = delete;
    ChosenOptions& operator=(const ChosenOptions&) = delete;

  private:
    cusim::Options before_ = cusim::options();
};
