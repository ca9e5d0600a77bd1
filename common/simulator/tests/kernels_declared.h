#pragma once

namespace declared {

// The number of launches of right kernels that ran, and how many there are.
int runAll(int& all);
// A function without __global__, launched in three ways.
int byPointer();
int byHelper();
int byCall();

}  // namespace declared
