// Kernels that do one thing wrong each. The statement at fault carries its name in a comment, by
// which the test knows the line that a finding must give.
#pragma once

#include <string>
#include <vector>

namespace faults {

// A grid of 6 blocks of 8 threads, in which thread 3 of blocks 2, 4 and 5 is at fault.
void launchWith(const std::string& fault);

// Near misses, one after the other; each is right.
void launchNearMisses();

// Whether a right kernel gives the right result.
bool rightKernelRuns();

}  // namespace faults
