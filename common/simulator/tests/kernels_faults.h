// Kernels that do one thing wrong each. The statement at fault carries its name in a comment, in
// which the test finds the line that a finding must give.
#pragma once

#include <string>
#include <vector>

namespace faults {

// Launches 6 blocks of 8 threads, in which thread 3 of blocks 2, 4 and 5 is at fault.
void launchWith(const std::string& fault);

// Launches near misses one after the other; each is right.
void launchNearMisses();

// Tests whether a right kernel gives the right result.
bool rightKernelRuns();

}  // namespace faults
