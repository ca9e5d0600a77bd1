// Kernels whose warps read constant memory.
#pragma once

namespace constants {

// Makes each run of `group` threads read one element; the table has 64 elements of 8 bytes.
void readInGroups(int threads, int group);
void readOneOfEach();  // reads a float common to all threads, one of each thread, and global memory

}  // namespace constants
