// Writes a launch to Options::recording: what the arrays held before, each step, what was found.
// The file holds one launch, the first one with a finding, or else the last: one line of JSON, with
// what a card would take for a launch that ran to its end; for each finding one more, and one that
// says where its steps are; then for each array its bytes and whether each was written, where the
// line says so; then the steps (see observers/recording.h).
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
    // Copies what the arrays hold.
    RecordedLaunch(const LaunchConfig& config, const KernelCall& call);
    // Ends the program with a sentence and status 2 if the file cannot be written.
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
