// Kernels that go wrong inside an array, off its alignment, or without end.
#pragma once

namespace limits {

void storeInRow(int column);         // of a 4 x 4 shared array
void storeVector(int firstElement);  // a float4 at x + firstElement, of 8 floats
void copyBytes(int bytes);           // memcpy in a kernel, between arrays of 64 bytes
void clearBytes(int bytes);          // memset in a kernel
void spinOnMemory(bool set);         // waits for a flag that is set, or never will be
void countInSteps(int step);         // of 0, without end
void passBarriers(int step);         // of 0, without end

}  // namespace limits
