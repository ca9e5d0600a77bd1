#pragma once

// One launch, Width a multiple of 16; the seconds that it took.
double runBenchKernel(bool useTiles, int Width);
