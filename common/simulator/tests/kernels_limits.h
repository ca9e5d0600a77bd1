// Kernels that go wrong inside an array, off its alignment, or without end.
#pragma once

#include <vector>

namespace limits {

void storeInRow(int column);         // of a 4 x 4 shared array
void storeVector(int firstElement);  // stores a float4 at x + firstElement, in 8 floats
std::vector<float> copyInPieces();   // copies structures whose alignment is smaller than their size
void copyBytes(int bytes);           // calls memcpy in a kernel, between arrays of 64 bytes
void clearBytes(int bytes);          // calls memset in a kernel
void spinOnMemory(bool set);         // waits for a flag, which without `set` never comes
void countInSteps(int step);         // never ends with step 0
void countAgain(int step);           // the same with another kernel
void doNothing(bool forEver);
void countInCallee(int step);
void nest(int outerStep, int innerStep);
void passBarriers(int step);  // never ends with step 0
void passManyBarriers(int times);

}  // namespace limits
