// Calls the measured function on square matrices, row-major, with host pointers; each lab's
// timed_call.cpp defines it.
#pragma once

void callMeasured(const float* M, const float* N, float* P, int Width);
