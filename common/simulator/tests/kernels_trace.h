// Launches whose events are recorded.
#pragma once

namespace traced {

// Reverses in 2 blocks of 4 threads their 4 elements of x into y, through shared memory.
void reverseBlocks();
// Launches the same kernel with this many blocks.
void reverseManyBlocks(int blocks);
// Launches a kernel in which each thread adds 1 to one counter.
void countUp();

}  // namespace traced
