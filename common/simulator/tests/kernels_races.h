// Kernels with one data race each, and kernels that nearly have it. A statement that takes part
// carries a name in a comment, by which the test knows the lines that a finding must give.
#pragma once

#include <string>
#include <vector>

namespace racing {

// The launches' names, of races and of near misses; the latter begin with "ok ".
std::vector<std::string> sharedNames();
std::vector<std::string> warpNames();
std::vector<std::string> globalNames();
void launch(const std::string& name);

// One block of width x width threads transposes in place, with or without a barrier.
void transposeInPlace(int width, bool barrier);

}  // namespace racing
