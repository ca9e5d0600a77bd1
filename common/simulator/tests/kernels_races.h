// Kernels with one data race each, and kernels that nearly have one. A statement that takes part
// carries a name in a comment, in which the test finds the lines that a finding must give.
#pragma once

#include <string>
#include <vector>

namespace racing {

// Return the names of the launches; those of near misses begin with "ok ".
std::vector<std::string> sharedNames();
std::vector<std::string> warpNames();
std::vector<std::string> globalNames();
void launch(const std::string& name);

// Transposes in place with one block of width x width threads, with or without a barrier.
void transposeInPlace(int width, bool barrier);

}  // namespace racing
