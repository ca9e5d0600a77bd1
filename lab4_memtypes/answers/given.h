// Declares the kernels' callers in given.cu; all take host pointers to blocks x threads elements.
#pragma once

namespace given {

// Fill drawn with the number that each thread draws from its copy of a variable. Numbers count from
// 0, so that a thread with 0 is the first at its copy.
void drawFromLocal(int* drawn, int blocks, int threads);
void drawFromShared(int* drawn, int blocks, int threads);

}  // namespace given
