// Helpers for the lists of cases.
#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "solutions/model/cases.h"

namespace model {

constexpr int kWidths[] = {512, 1024, 2048, 4096};

inline std::size_t area(int rows, int cols) { return static_cast<std::size_t>(rows) * cols; }

inline std::string extent(int rows, int cols) {
    return std::to_string(rows) + "x" + std::to_string(cols);
}

inline dim3 covering(int rows, int cols, dim3 tile) {
    return dim3((cols - 1) / tile.x + 1, (rows - 1) / tile.y + 1);
}

class List {
  public:
    // A product of square matrices. A block computes `tile` elements of it.
    template <class Launch>
    void square(const char* lab, const char* kernel, int n, dim3 tile, dim3 block, Launch launch) {
        const dim3 grid = covering(n, n, tile);
        add({lab,
             kernel,
             std::to_string(n),
             grid,
             block,
             {area(n, n), area(n, n)},
             area(n, n),
             2.0 * n * n * n,
             [=](const float* M, const float* N, float* P) { launch(grid, block, M, N, P, n); }});
    }
    // A kernel that reads one matrix and writes another, one element of each per thread.
    template <class Launch>
    void map(const char* lab, const char* kernel, const std::string& size, dim3 grid, dim3 block,
             std::size_t in, std::size_t out, Launch launch, double flop = 0) {
        add({lab,
             kernel,
             size,
             grid,
             block,
             {in, 0},
             out,
             flop,
             [=](const float* A, const float*, float* P) { launch(grid, block, A, P); }});
    }
    void add(Case one) { all_.push_back(std::move(one)); }
    std::vector<Case> all() { return std::move(all_); }

  private:
    std::vector<Case> all_;
};

using Matrix = const float*;

void addLab4(List& list);
void addQualifiers(List& list);

}  // namespace model
