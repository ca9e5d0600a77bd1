// Writes a launch to Options::recording: the arrays before it, each step, the findings. The file
// holds one launch, the first one with a finding, or else the last: one line of JSON, with the
// modelled time on a card for a launch that ran to its end; two lines per finding, the second one
// with its steps; then for each array its bytes and whether each was written, if the first line
// says so; then the steps (see observers/recording.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulator/include/cusim/launch.h"
#include "simulator/observers/recording.h"
#include "simulator/simulator.h"

namespace cusim {

class RecordedLaunch {
  public:
    // Copies the contents of the arrays.
    RecordedLaunch(const LaunchConfig& config, const KernelCall& call);
    // Ends the program with an error and status 2 if the file cannot be written.
    void write(const LaunchReport& launch, const Recording& steps) const;

  private:
    struct Array {
        bool shared;
        std::uint32_t id;
        std::uintptr_t start;
        std::size_t bytes;
        std::vector<std::uint8_t> before = {}, marks = {};
    };
    std::string header(const LaunchReport& launch, const Recording& steps,
                       std::size_t findings) const;

    std::vector<Array> arrays_;
    std::size_t findingsBefore_;
};

}  // namespace cusim
