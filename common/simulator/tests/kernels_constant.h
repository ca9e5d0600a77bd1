// Kernels whose warps read constant memory.
#pragma once

namespace constants {

// Each run of `group` threads reads one element; the table has 64 elements of 8 bytes.
void readInGroups(int threads, int group);
void readOneOfEach();  // one float that all threads want, one for each thread, and global memory

}  // namespace constants
