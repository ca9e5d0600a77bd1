#include "solutions/lab4_memtypes/ladder/ladder.h"
#include "solutions/model/list.h"

namespace lab4 {
#include "solutions/lab4_memtypes/constant.cu"
#include "solutions/lab4_memtypes/kernel.cu"
#include "solutions/lab4_memtypes/overlap.cu"
namespace registers {
#include "solutions/lab4_memtypes/registers.cu"
}
}  // namespace lab4

namespace model {
namespace {

void addMemoryTypes(List& list) {
    for (int tileWidth : {16, 32, 64, 128})
        for (int n : {1024, 4096}) {
            const dim3 tile(tileWidth, tileWidth), block(tileWidth, tileWidth / ROWS);
            const std::string name = "dynamicMatrixMul, tile " + std::to_string(tileWidth);
            const int bytes = 8 * tileWidth * tileWidth;
            list.square(
                "lab4", name.c_str(), n, tile, block,
                [=](dim3 g, dim3 b, Matrix M, Matrix N, float* P, int Width) {
                    CHECK(cudaFuncSetAttribute(lab4::dynamicMatrixMulKernel,
                                               cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
                    lab4::dynamicMatrixMulKernel<<<g, b, bytes>>>(M, N, P, Width);
                });
        }
    const dim3 tile(16, 16), wide(32, 8);
    for (int l : {4096, 65536}) {
        const int k = 1024, rows = CONSTANT_FLOATS / k;
        list.map("lab4", "constantMatrixMul", "16x1024x" + std::to_string(l),
                 covering(rows, l, wide), wide, area(k, l), area(rows, l),
                 [=](dim3 g, dim3 b, Matrix N, float* P) {
                     lab4::constantMatrixMulKernel<<<g, b>>>(N, P, 0, rows, k, l);
                 });
    }
    for (int group : {1, 32})
        list.map(
            "lab4", group == 1 ? "groups of 1" : "groups of 32", "one warp", 1, 32, 0, 32,
            [=](dim3 g, dim3 b, Matrix, float* out) { lab4::groupsKernel<<<g, b>>>(out, group); });
    for (int rows : {256, 2048}) {
        const int n = 2048;
        list.add({"lab4",
                  "band",
                  std::to_string(rows) + "x2048x2048",
                  covering(rows, n, tile),
                  tile,
                  {area(rows, n), area(n, n)},
                  area(rows, n),
                  2.0 * rows * n * n,
                  [=](Matrix M, Matrix N, float* P) {
                      lab4::bandKernel<<<covering(rows, n, tile), tile>>>(M, N, P, rows, n, n);
                  }});
    }
}

template <class Kernel>
void addRegisters(List& list, const char* name, int side, dim3 block, Kernel kernel) {
    for (int n : kWidths)
        list.square("lab4", name, n, dim3(side, side), block,
                    [=](dim3 g, dim3 b, Matrix M, Matrix N, float* P, int Width) {
                        kernel<<<g, b>>>(M, N, P, Width, Width, Width);
                    });
}

// Rungs 9 and 10 copy asynchronously, which the simulated device does not know.
void addLadder(List& list) {
    // Rungs 1 and 2 say which part of P serves one load, which is less than a block computes.
    struct Step {
        const Rung* rung;
        int side;
        dim3 block;
    };
    for (const Step& step :
         {Step{&naiveUncoalesced, 32, dim3(32, 32)}, Step{&naive, 32, dim3(32, 32)},
          Step{&tiled, 0, dim3(32, 32)}, Step{&registerTile1d, 0, 512},
          Step{&registerTile2d, 0, 256}, Step{&vectorLoads, 0, 256}, Step{&warpTile, 0, 256},
          Step{&doubleBuffer, 0, 256}})
        for (int n : kWidths) {
            const Tile own = step.rung->tile(n, n);
            const dim3 tile = step.side ? dim3(step.side, step.side) : dim3(own.cols, own.rows);
            const Rung* rung = step.rung;
            list.square("ladder", rung->name, n, tile, step.block,
                        [=](dim3, dim3, Matrix M, Matrix N, float* P, int Width) {
                            rung->launch(M, N, P, Width, Width, Width);
                        });
        }
}

}  // namespace

void addLab4(List& list) {
    addMemoryTypes(list);
    addRegisters(list, "plain", TILE_SIDE, dim3(TILE_SIDE, TILE_SIDE),
                 lab4::registers::plainKernel);
    addRegisters(list, "column", BM, dim3(BN, BM / TM), lab4::registers::columnKernel);
    addRegisters(list, "registerTile", BM, dim3(BN / TN, BM / TM),
                 lab4::registers::registerTileKernel);
    addRegisters(list, "vector", BM, dim3(BN / TN, BM / TM), lab4::registers::vectorKernel);
    addLadder(list);
}

}  // namespace model
