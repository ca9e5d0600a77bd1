#pragma once

// Width is a multiple of 16.
void runBenchKernel(bool useTiles, int Width);
