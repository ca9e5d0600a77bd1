// Kernels whose threads exchange values: through barriers, warp functions and atomics.
#pragma once

#include <vector>

namespace warps {

// Returns by thread __syncthreads_count, _and and _or of (thread < `below`).
std::vector<int> blockVotes(int threads, int below);
// Returns the same for the threads left after the first `gone` have returned.
std::vector<int> votesOfTheRest(int threads, int gone);

enum Shuffle { Direct, Up, Down, Xor };
std::vector<int> shuffle(Shuffle which, int operand, int width, int threads);  // of 100 + lane
std::vector<double> shuffledDoubles();  // of the values lane / 2, by 1 down
// Returns by thread ballot, any and all of (lane % 2 == 0); then any of false, all of true.
std::vector<unsigned> warpVotes(int threads);
unsigned ballotOfTheRest(int threads, int gone);
std::vector<unsigned> activeMasks(int threads);
std::vector<int> exchangeThroughShared();  // neighbours swap lane numbers around a __syncwarp
std::vector<int> halfWarps();              // each half shuffles on its own, at its own call

float reduceBlock(int threads);  // the sum of 1..threads

// Return what each kind of atomic leaves in memory, then what the threads' atomicAdd returned.
std::vector<double> atomics(int blocks, int threads);
std::vector<double> serialAtomics(int blocks, int threads);
int countByCompareAndSwap(int blocks, int threads);
double sumByCompareAndSwap(int blocks, int threads);  // of the threads' numbers

}  // namespace warps
