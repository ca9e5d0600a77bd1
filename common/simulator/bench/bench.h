#pragma once

// Launches one kernel and returns its seconds. Width must be a multiple of 16.
double runBenchKernel(bool useTiles, int Width);
