#pragma once

namespace declared {

// Returns how many launches of kernels ran, and in `all` how many were made.
int runAll(int& all);
// Each launches a function without __global__ in another way.
int byPointer();
int byHelper();
int byCall();

}  // namespace declared
