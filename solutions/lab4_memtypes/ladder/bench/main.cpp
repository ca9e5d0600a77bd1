// Measures the rungs of the ladder and cuBLAS on one card.
//     gpu_bench RESULT.csv RESULT.md DRIVER
//     gpu_bench check      checks results only, at odd sizes; short enough for compute-sanitizer
// Exit status: 0 measured, 1 a product is wrong, 2 wrong usage or no card.
#include <cublas_v2.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "bench/card.h"
#include "bench/cuda_check.h"
#include "bench/inputs.h"
#include "bench/reference.h"
#include "bench/report.h"
#include "bench/timing.h"
#include "ladder.h"

namespace {

using bench::Measurement;
using bench::Size;

const std::vector<Size> kSizes = {{512, 512, 512},    {1024, 1024, 1024}, {2048, 2048, 2048},
                                  {4096, 4096, 4096}, {8192, 8192, 8192}, {16384, 16384, 16384},
                                  {4097, 3001, 5003}};
// Only checked, not timed: edges of all kinds, and every shape of the last rung.
const std::vector<Size> kOddSizes = {
    {1, 1, 1},     {5, 3, 7},       {33, 17, 65},     {128, 16, 256},   {129, 32, 260},
    {257, 513, 4}, {3, 1000, 1024}, {1001, 33, 999},  {1300, 33, 1804}, {1300, 19, 1801},
    {517, 9, 5},   {64, 47, 68},    {1409, 17, 3333}, {1409, 40, 3332}, {1400, 100, 3300}};
constexpr double kLongestRun = 1000;  // milliseconds
constexpr double kTimesL2 = 4;        // size of all inputs over the L2, so that they miss it

struct Kernel {
    std::string name;
    bench::Product product;
    Tile (*tile)(int j, int l);
};

std::vector<Kernel> kernels(cublasHandle_t handle) {
    std::vector<Kernel> all;
    // cuBLAS stores by columns, which makes a row-major matrix its transpose: P^T = N^T x M^T.
    all.push_back(
        {bench::kYardstick,
         [handle](const float* M, const float* N, float* P, Size size) {
             const float one = 1, zero = 0;
             const auto status = cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, size.l, size.j,
                                             size.k, &one, N, size.l, M, size.k, &zero, P, size.l);
             endUnless(status == CUBLAS_STATUS_SUCCESS, "cublasSgemm failed", __FILE__, __LINE__);
         },
         nullptr});
    for (const Rung* rung : {&naiveUncoalesced, &naive, &tiled, &registerTile1d, &registerTile2d,
                             &vectorLoads, &warpTile, &doubleBuffer, &asyncCopies, &tuned})
        all.push_back({rung->name,
                       [rung](const float* M, const float* N, float* P, Size size) {
                           rung->launch(M, N, P, size.j, size.k, size.l);
                       },
                       rung->tile});
    return all;
}

// Counts the bytes that blocks request: each loads its rows of M and its columns of N, and each
// element of P is stored once.
double requestedBytes(Tile tile, Size size) {
    const double rowTiles = blocksFor(size.j, tile.rows), colTiles = blocksFor(size.l, tile.cols);
    const double floats =
        colTiles * size.j * size.k + rowTiles * size.k * size.l + 1.0 * size.j * size.l;
    return floats * sizeof(float);
}

void endIfWrong(const Kernel& kernel, const bench::Inputs& inputs,
                const bench::Reference& reference, Size size) {
    // NaN in every element that the kernel should write.
    CUDA_CHECK(cudaMemset(inputs.P(), 0xff, sizeof(float) * size.j * size.l));
    kernel.product(inputs.M(0), inputs.N(0), inputs.P(), size);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
    const std::string wrong = reference.compare(inputs.P());
    if (wrong.empty()) return;
    std::fprintf(stderr, "%s, %d x %d times %d x %d: %s.\n", kernel.name.c_str(), size.j, size.k,
                 size.k, size.l, wrong.c_str());
    std::exit(1);
}

// Estimates the time from the rate at the size before: beyond small products, which leave SMs idle,
// the rate hardly changes with the size.
bool tooSlow(const std::vector<Measurement>& rows, const Kernel& kernel, Size size) {
    const auto last = std::find_if(rows.rbegin(), rows.rend(), [&](const Measurement& row) {
        return row.kernel == kernel.name && !row.leftOut;
    });
    return last != rows.rend() && size.operations() / last->gigaflops() * 1e-6 > kLongestRun;
}

void checkOddSizes(const std::vector<Kernel>& all) {
    for (Size size : kOddSizes) {
        const bench::Inputs inputs(size, 0);
        const bench::Reference reference(inputs.M(0), inputs.N(0), size);
        for (const Kernel& kernel : all) endIfWrong(kernel, inputs, reference, size);
    }
}

std::vector<Measurement> measure(const std::vector<Kernel>& all, double l2Bytes) {
    std::vector<Measurement> rows;
    for (Size size : kSizes) {
        const bench::Inputs inputs(size, kTimesL2 * l2Bytes);
        const bench::Reference reference(inputs.M(0), inputs.N(0), size);
        for (const Kernel& kernel : all) {
            Measurement row;
            row.kernel = kernel.name;
            row.size = size;
            if (kernel.tile) row.requestedBytes = requestedBytes(kernel.tile(size.j, size.l), size);
            row.leftOut = tooSlow(rows, kernel, size);
            if (!row.leftOut) {
                endIfWrong(kernel, inputs, reference, size);
                bench::time(kernel.product, inputs, row);
                std::fprintf(stderr, "%-22s %5d x %5d x %5d  %9.0f GFLOP/s\n", row.kernel.c_str(),
                             size.j, size.k, size.l, row.gigaflops());
            }
            rows.push_back(row);
        }
    }
    return rows;
}

}  // namespace

int main(int argc, char** argv) {
    const bool checkOnly = argc == 2 && std::string(argv[1]) == "check";
    if (argc != 4 && !checkOnly) {
        std::fprintf(stderr, "Use: gpu_bench RESULT.csv RESULT.md DRIVER, or gpu_bench check\n");
        return 2;
    }
    cublasHandle_t handle = nullptr;
    endUnless(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS, "cublasCreate failed", __FILE__,
              __LINE__);
    // No tensor cores and no narrower numbers, only float32.
    endUnless(cublasSetMathMode(handle, CUBLAS_PEDANTIC_MATH) == CUBLAS_STATUS_SUCCESS,
              "cublasSetMathMode failed", __FILE__, __LINE__);

    const std::vector<Kernel> all = kernels(handle);
    checkOddSizes(all);
    if (checkOnly) {
        std::printf("%zu kernels are right at %zu sizes.\n", all.size(), kOddSizes.size());
        return 0;
    }
    const bench::Card card = bench::thisCard(argv[3]);
    const std::vector<Measurement> rows = measure(all, card.l2Bytes);
    std::ofstream csv(argv[1]), markdown(argv[2]);
    bench::writeCsv(csv, card, rows);
    bench::writeMarkdown(markdown, card, rows);
    bench::writeMarkdown(std::cout, card, rows);
    cublasDestroy(handle);
    if (!csv.flush() || !markdown.flush()) {
        std::fprintf(stderr, "%s or %s cannot be written; choose another folder.\n", argv[1],
                     argv[2]);
        return 2;
    }
    return 0;
}
