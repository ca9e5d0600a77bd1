// What given.cu defines; all pointers are host pointers, to blocks x threads elements.
#pragma once

namespace given {

// What each thread draws from its copy of a variable, counted from 0: who draws 0 is the first.
void drawFromLocal(int* drawn, int blocks, int threads);
void drawFromShared(int* drawn, int blocks, int threads);

}  // namespace given
