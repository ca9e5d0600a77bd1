#include <iostream>

#include "lab4_memtypes/registers/counts.h"

TEST_CASE("TODO(3): for 64 products, 8 x 8 elements read 8 + 8 words of shared memory") {
    expectWords({Todo(3), registerTileMatrixMul}, 8 + 8, 64);
}

TEST_CASE("8 x 8 elements per thread need 1/8 of the shared loads of the plain kernel") {
    const Counts plain = countsOf({"plainMatrixMul", plainMatrixMul});
    const Counts tiled = countsOf({"registerTileMatrixMul", registerTileMatrixMul});
    if (tiled.sharedWords == 0)
        lab::fail("not-shared", Todo(3), "nothing is read from shared memory yet.");
    if (plain.sharedWords != 2 * plain.multiplyAdds)
        lab::failOfNoStep("shared-loads",
                          "plainMatrixMul reads {} words per multiply-add instead of 2.\nIts "
                          "kernel is only for comparison: restore it.",
                          decimal(plain.wordsEach()));
    if (8 * tiled.sharedWords > plain.sharedWords)
        lab::fail("shared-loads", Todo(3),
                  "{} words per multiply-add, and {} in the plain kernel. It must\nbe at most an "
                  "eighth: read each word once into a local variable.",
                  decimal(tiled.wordsEach()), decimal(plain.wordsEach()));
    const matrix::DataSet set = lab::integers(kOneTile);
    matrix::Matrix P = matrix::poisoned(kOneTile.j, kOneTile.l);
    for (Multiply* const multiply :
         {plainMatrixMul, columnMatrixMul, registerTileMatrixMul, vectorMatrixMul})
        lab::expectCallsChecked("registers.cu", lab::gives(P), [&] {
            multiply(set.M.data(), set.N.data(), P.data(), kOneTile.j, kOneTile.k, kOneTile.l);
        });
}

TEST_CASE("neighbouring threads use neighbouring words: one pass over the banks per request") {
    const Counts counts = countsOf({"registerTileMatrixMul", registerTileMatrixMul});
    if (counts.sharedRequests == 0)
        lab::fail("not-shared", Todo(3), "nothing is read from shared memory yet.");
    if (counts.sharedPasses > counts.sharedRequests)
        lab::fail("bank-conflict", Todo(3),
                  "{} to shared memory need {} over the\nbanks. The columns of a thread must be "
                  "tx, tx + BN / TN, ..., and its rows ty,\nty + BM / TM, ...",
                  lab::count(counts.sharedRequests, "request"),
                  lab::count(counts.sharedPasses, "passe"));
}

// Prints the handout's table, which names the command.
TEST_CASE("the table of words in the handout", "[.table]") {
    std::cout
        << "| kernel | a thread has | words per multiply-add | FLOP per word | shared loads |\n"
           "|---|---|---|---|---|\n";
    const struct {
        const char *name, *elements;
        Multiply* multiply;
    } rows[] = {{"plain, 16 x 16", "1", plainMatrixMul},
                {"step 1", "8", columnMatrixMul},
                {"step 2", "8 x 8", registerTileMatrixMul},
                {"step 3", "8 x 8", vectorMatrixMul}};
    for (const auto& row : rows) {
        const Counts counts = countsOf({row.name, row.multiply});
        std::cout << "| " << row.name << " | " << row.elements << " | "
                  << decimal(counts.wordsEach()) << " | " << decimal(2 / counts.wordsEach())
                  << " | " << lab::grouped(counts.shared.loads) << " |\n";
    }
}
