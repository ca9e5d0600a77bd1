// All that can be asked about the calls since the last reset(), as one value: to carry it from one
// process into another.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulator/simulator.h"

namespace cusim {

struct Report {
    std::vector<Finding> findings;
    std::vector<LaunchReport> launches;
    std::vector<StreamStep> streamSteps;
    std::vector<std::string> calls;
    std::vector<std::uint32_t> storedValues;  // see stored_values.h
};

// What findings(), launches(), streamSteps(), calls() and notStoredByKernels() know now. The
// findings hold their source lines, so that nobody has to look for the file later.
Report currentReport();
void addSource(Finding& finding);

// Is told each finding as it arises, so that none is lost where the program then ends.
void tellFindings(void (*listener)(const Finding& finding));
// From now on they give this.
void restore(Report report);

}  // namespace cusim
