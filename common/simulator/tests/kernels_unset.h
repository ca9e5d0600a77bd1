// Kernels that read what nothing has written, and kernels that nearly do. The statement at fault
// carries a name in a comment, by which the test knows the line that a finding must give.
#pragma once

#include <string>
#include <vector>

namespace unset {

// The launches' names; those of near misses begin with "ok ".
std::vector<std::string> names();
void launch(const std::string& name);

// Copies an output to the host of which a kernel stored elements [0, stored) of 12; `bytes` of it.
void copyOutput(int stored, std::size_t bytes);
// The same through another allocation.
void copyOutputOfCopy(int stored);

// How many unset reads are found when only the first of so many blocks stores what it reads.
unsigned long long blocksOfWhichTheFirstStores(int blocks);

// How many words of local variables that a kernel never set hold anything but the pattern of such
// memory. Before each of its launches another kernel uses the stacks.
int localWordsThatDiffer(int blocks);

}  // namespace unset
