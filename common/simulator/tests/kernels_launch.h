// Kernels that show what a launch passes on: arguments, geometry, memory that outlives a launch.
#pragma once

#include <cstddef>
#include <vector>

namespace launching {

std::vector<float> convertedArguments();  // what a kernel with (float, char) received for (7, 65)
int evaluations();  // evaluations of an argument's expression at a launch of 64 threads
std::vector<int> structByValue();    // 8 threads change their own copy of {1, 2, {3}}
std::vector<int> throughPointers();  // 1 and 2, by kernels chosen at run time
std::vector<int> throughCudaLaunchKernel();
// Returns 1 from k(int*), 2 from k(float*), 3 from a template in a namespace, and 40 + N from a
// template with N explicit and its type deduced.
std::vector<int> templatesAndOverloads();
int virtualCall();                             // 4, from a derived class; its base returns 0
std::vector<int> dynamicShared(int n);         // reversed 0..n-1
std::vector<int> dynamicSharedOutside(int n);  // the same with an array outside of functions
std::vector<int> dynamicSharedRows();          // transposed 4 x 4 of 0..15
std::vector<float> carvedArrays();             // 4 x (float + int + double) from one buffer
std::vector<unsigned> geometry();  // runs of each thread of a (2,3,4) grid of (4,2,3) blocks
std::vector<int> unsetShared();    // words of shared memory that blocks 0 and 1 find at their start

int countUp();       // adds 1 to a __device__ variable in each call, and returns it
int initialValue();  // of a variable declared with {10, 20, 30}[1]
std::vector<int> symbols();

std::vector<int> managed();
std::vector<int> managedVariable();
std::vector<int> pinned();

void print(int blocks);  // two lines a thread, two threads a block, then one by the host
void announceAndFail();  // block 1 fails after it has printed

// Returns the number that remains where every thread of every block writes its own, unordered.
int lastWriter(int blocks, int threads);
std::vector<int> arrivals(int threads, int blocks);  // order in which the threads came by

}  // namespace launching
