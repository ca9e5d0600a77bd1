#include "solutions/model/list.h"

namespace lab1 {
#include "solutions/lab1_naive/kernel.cu"
#include "solutions/lab1_naive/matrix_add.cu"
}  // namespace lab1
namespace lab2 {
#include "solutions/lab2_tiled/banks.cu"
#include "solutions/lab2_tiled/kernel.cu"
namespace hazards {
#undef BLOCK_WIDTH
#include "solutions/lab2_tiled/hazards.cu"
}  // namespace hazards
}  // namespace lab2
namespace lab3 {
#include "solutions/lab3_boundary/kernel.cu"
#include "solutions/lab3_boundary/padding.cu"
#include "solutions/lab3_boundary/submatrix.cu"
}  // namespace lab3
namespace model {
namespace {

void addLab1(List& list) {
    const dim3 tile(16, 16);
    for (int n : {128, 256, 512, 1024, 2048, 4096})
        list.square("lab1", "matrixMul", n, tile, tile,
                    [](dim3 g, dim3 b, Matrix M, Matrix N, float* P, int Width) {
                        lab1::matrixMulKernel<<<g, b>>>(M, N, P, Width);
                    });
    const dim3 flat(16, 4);
    for (int n : {1024, 4096, 8192}) {
        const dim3 grid = covering(n, n, flat);
        list.add({"lab1",
                  "matrixAdd",
                  std::to_string(n),
                  grid,
                  flat,
                  {area(n, n), area(n, n)},
                  area(n, n),
                  1.0 * n * n,
                  [=](Matrix A, Matrix B, float* C) {
                      lab1::matrixAddKernel<<<grid, flat>>>(A, B, C, n, n);
                  }});
    }
}

void addLab2(List& list) {
    const dim3 tile(16, 16), banks(BANKS, BANKS);
    for (int n : {128, 256, 512, 1024, 2048, 4096})
        list.square("lab2", "tiledMatrixMul", n, tile, tile,
                    [](dim3 g, dim3 b, Matrix M, Matrix N, float* P, int Width) {
                        lab2::tiledMatrixMulKernel<<<g, b>>>(M, N, P, Width);
                    });
    list.square("lab2", "draftMatrixMul", 1024, tile, tile,
                [](dim3 g, dim3 b, Matrix M, Matrix N, float* P, int Width) {
                    lab2::hazards::draftMatrixMulKernel<<<g, b>>>(M, N, P, Width);
                });
    for (int rowWords : {32, 33})
        list.map("lab2", rowWords == 32 ? "column of 32 words" : "column of 33 words", "one warp",
                 1, BANKS, 0, BANKS, [=](dim3 g, dim3 b, Matrix, float* out) {
                     lab2::columnKernel<<<g, b, BANKS * rowWords * sizeof(float)>>>(out, rowWords);
                 });
    for (int n : {1024, 4096, 8192}) {
        list.map("lab2", "transpose", std::to_string(n), covering(n, n, banks), banks, area(n, n),
                 area(n, n), [=](dim3 g, dim3 b, Matrix A, float* B) {
                     lab2::transposeKernel<<<g, b>>>(A, B, n, n);
                 });
        list.map("lab2", "scaleRows", extent(32 * n, BANKS), dim3(n), banks, area(32 * n, BANKS),
                 area(32 * n, BANKS),
                 [](dim3 g, dim3 b, Matrix A, float* B) { lab2::scaleRowsKernel<<<g, b>>>(A, B); });
        list.map("lab2", "blockTranspose", std::to_string(n), covering(n, n, tile), tile, 0,
                 area(n, n), [=](dim3 g, dim3 b, Matrix, float* A) {
                     lab2::hazards::blockTransposeKernel<<<g, b>>>(A, n);
                 });
        list.map("lab2", "normalizeColumns", std::to_string(n), dim3(n), REDUCE_THREADS, area(n, n),
                 area(n, n), [=](dim3 g, dim3 b, Matrix A, float* B) {
                     lab2::hazards::normalizeColumnsKernel<<<g, b>>>(A, B, n, n);
                 });
    }
    list.map("lab2", "fourQuestions", "one block", 1, tile, 256, 256,
             [](dim3 g, dim3 b, Matrix in, float* out) {
                 lab2::hazards::fourQuestionsKernel<<<g, b>>>(in, out);
             });
    list.map("lab2", "racyRotate", "one block", 1, ROTATE_THREADS, 64, 64,
             [](dim3 g, dim3 b, Matrix in, float* out) {
                 lab2::hazards::racyRotateKernel<<<g, b>>>(in, out);
             });
}

void addLab3(List& list) {
    const dim3 tile(16, 16);
    for (int n : {100, 250, 500, 1000, 2001, 4001}) {
        list.square("lab3", "boundedMatrixMul", n, tile, tile,
                    [](dim3 g, dim3 b, Matrix M, Matrix N, float* P, int Width) {
                        lab3::boundedMatrixMulKernel<<<g, b>>>(M, N, P, Width, Width, Width);
                    });
        list.square("lab3", "subMatrixMul", n, tile, tile,
                    [](dim3 g, dim3 b, Matrix M, Matrix N, float* P, int Width) {
                        lab3::subMatrixMulKernel<<<g, b>>>(M, Width, N, Width, P, Width, Width,
                                                           Width, Width);
                    });
    }
    for (int n : {512, 1008, 2016, 4016})
        list.square("lab3", "wholeTiles", n, tile, tile,
                    [](dim3 g, dim3 b, Matrix M, Matrix N, float* P, int Width) {
                        lab3::wholeTilesKernel<<<g, b>>>(M, N, P, Width, Width);
                    });
}

}  // namespace

std::vector<Case> cases() {
    List list;
    addLab1(list);
    addLab2(list);
    addLab3(list);
    addLab4(list);
    addQualifiers(list);
    return list.all();
}

}  // namespace model
