// A device as new, with options that a test may change: both are put back at its end.
#pragma once

#include "simulator/simulator.h"

class ChosenOptions {
  public:
    ChosenOptions() {
        // Whatever CUSIM_SCHEDULE and CUSIM_WORKERS say.
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
