// Launches whose events are recorded.
#pragma once

namespace traced {

// 2 blocks of 4 threads that reverse their 4 elements of x into y through shared memory.
void reverseBlocks();
// The same kernel with so many blocks.
void reverseManyBlocks(int blocks);
// Adds 1 to one counter in each thread.
void countUp();

}  // namespace traced
