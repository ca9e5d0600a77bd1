// Everything reported about the calls since the last reset(), as one value that can be sent to
// another process.
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

// Returns what findings(), launches(), streamSteps(), calls() and notStoredByKernels() return now.
// Each finding holds its source line, so that the file is not needed later.
Report currentReport();
void addSource(Finding& finding);

// Sets a function that receives each finding as it arises, so that none is lost if the program
// ends.
void tellFindings(void (*listener)(const Finding& finding));
// Sets a function that is called before the program ends by _exit() or by a crash of host code.
void tellEnd(void (*listener)());
// Makes the functions above return this report from now on.
void restore(Report report);

}  // namespace cusim
