// Kernels that read what nothing has written, and kernels that nearly do. The statement at fault
// carries a name in a comment, in which the test finds the line that a finding must give.
#pragma once

#include <string>
#include <vector>

namespace unset {

// Returns the names of the launches; those of near misses begin with "ok ".
std::vector<std::string> names();
void launch(const std::string& name);

// Copies `bytes` of an output of 12 elements to the host, of which a kernel stored the first
// `stored`.
void copyOutput(int stored, std::size_t bytes);
// Does the same through another allocation.
void copyOutputOfCopy(int stored);

// Returns how many unset reads are found when only the first block stores what it reads.
unsigned long long blocksOfWhichTheFirstStores(int blocks);

// Returns how many words of unset local variables do not hold the pattern of unset local memory.
// Another kernel uses the stacks before each launch.
int localWordsThatDiffer(int blocks);

}  // namespace unset
