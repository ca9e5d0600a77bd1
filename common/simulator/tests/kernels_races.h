// Kernels with one data race on shared memory each, and kernels that nearly have one. A statement
// that takes part carries a name in a comment, in which the test finds the lines that a finding
// must give.
#pragma once

#include "on_device.h"

namespace racing {

// The launches by name; those of near misses begin with "ok ".
extern const LaunchTable kSharedLaunches;
extern const LaunchTable kWarpLaunches;

// Transposes in place with one block of width x width threads, with or without a barrier.
void transposeInPlace(int width, bool barrier);

}  // namespace racing
