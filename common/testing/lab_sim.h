// What tests of the simulated device share beside lab.h.
#pragma once

#include <string>
#include <vector>

#include "simulator/simulator.h"
#include "testing/lab.h"

namespace lab {

// Returns the findings of one kind in the last call.
std::vector<cusim::Finding> findingsOf(const std::string& kind);

// Fails the running test because of these findings, which it shows below the sentence.
[[noreturn]] void failFor(const std::vector<cusim::Finding>& findings, const std::string& sentence);

// Restores the simulated device's options at the end of its life.
class ChosenOptions {
  public:
    ChosenOptions() = default;
    ChosenOptions(const ChosenOptions&) = delete;
    ChosenOptions& operator=(const ChosenOptions&) = delete;
    ~ChosenOptions() { cusim::options() = before_; }

  private:
    cusim::Options before_ = cusim::options();
};

// Counts the loads and stores of each element, for as long as it lives.
struct CountElements : ChosenOptions {
    CountElements() { cusim::options().countElements = true; }
};

}  // namespace lab
