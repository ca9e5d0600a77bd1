// Kernels with a known number of loads and stores, one host function each.
#pragma once

#include <vector>

namespace counts {

constexpr int kTile = 4;

void naive(int Width);
void tiled(int Width);    // a multiple of kTile
void vectorCopy(int n);   // of float4
void addToItself(int n);  // y[i] = x[i] + x[i]
void accumulate(int n, int rounds);
void updateAtomically(int n);
void localArray(int n);
void escapingArray(int n);
void builtins(int n);
void constantFilter(int n);
void sharedAtomics(int n);
void structCopy(int n);  // of 12 bytes
// Launches 8 x 8 blocks, of which those of the last column diverge.
void lastColumnDiverges();
void firstOfMany(int n, const std::vector<float>& in, std::vector<float>& out);

}  // namespace counts
