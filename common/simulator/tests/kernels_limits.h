// Kernels that go wrong inside an array, off its alignment, or without end.
#pragma once

#include <vector>

namespace limits {

void storeInRow(int column);         // of a 4 x 4 shared array
void storeVector(int firstElement);  // a float4 at x + firstElement, of 8 floats
std::vector<float> copyInPieces();   // structures that need less than their size as alignment
void copyBytes(int bytes);           // memcpy in a kernel, between arrays of 64 bytes
void clearBytes(int bytes);          // memset in a kernel
void spinOnMemory(bool set);         // waits for a flag that is set, or never will be
void countInSteps(int step);         // of 0, without end
void countAgain(int step);           // the same in another kernel
void doNothing(bool forEver);
void countInCallee(int step);
void nest(int outerStep, int innerStep);
void passBarriers(int step);  // of 0, without end
void passManyBarriers(int times);

}  // namespace limits
