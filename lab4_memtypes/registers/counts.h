// Reads the simulated device's counts. A load of float4 from shared memory counts as four words.
#pragma once

#include <cstdio>

#include "lab4_memtypes/registers/product_run.h"
#include "testing/lab_sim.h"

struct Counts {
    std::uint64_t multiplyAdds, sharedWords, elementsAThread;
    cusim::AccessCount global, shared, heap;
    cusim::Place threadIndex, changingIndex;
    std::uint64_t sharedRequests, sharedPasses, barriers, blocks, depth;

    double wordsEach() const {
        return static_cast<double>(sharedWords) / static_cast<double>(multiplyAdds);
    }
};

// Runs a step for its counts. If a test has found the product of the same call right, it must be
// right here, so that the counted accesses have computed it.
inline lab::ProductRun countedRun(const Step& step, Shape shape) {
    lab::ProductRun run = runStep(step, lab::integers(shape), {"race", "unset-output"});
    if (rightCalls().count({step.multiply, shape.j, shape.k, shape.l}) > 0)
        lab::expectProduct(step.about, run);
    return run;
}

inline Counts countsOf(const Step& step, Shape shape = kWholeTiles, std::size_t phases = 1) {
    const lab::ChosenOptions chosen;
    cusim::options().localIndices = phases;
    const lab::ProductRun run = countedRun(step, shape);
    const auto& launch = lab::launchOf(step.about);
    lab::expectOneLaunch(step.about, "all of P");
    const auto outputs = static_cast<std::uint64_t>(run.P.size());
    Counts counts{};
    counts.multiplyAdds = outputs * static_cast<std::uint64_t>(shape.k);
    counts.sharedWords = launch.shared().loadedBytes / sizeof(float);
    counts.elementsAThread = outputs / launch.threads;
    counts.global = launch.global();
    counts.shared = launch.shared();
    counts.heap = launch.heap;
    counts.threadIndex = launch.threadIndex;
    counts.changingIndex = launch.changingIndex;
    counts.sharedRequests = launch.warps.sharedRequests;
    counts.sharedPasses = launch.warps.sharedPasses;
    counts.barriers = launch.barriersPerThread;
    counts.blocks = lab::blocksOf(launch);
    // BK, from tiles of 64 x BK and BK x 64 floats, or one array of both.
    std::vector<std::uint64_t> tiles;
    for (const auto& array : launch.arrays)
        if (array.space == cusim::Space::Shared) tiles.push_back(array.bytes / sizeof(float) / 64);
    if (!tiles.empty())
        counts.depth = *std::min_element(tiles.begin(), tiles.end()) / (tiles.size() > 1 ? 1 : 2);
    return counts;
}

// Fails the test if one of two tiles is at least twice as large as the other one.
inline void expectEqualTiles(const Step& step) {
    std::vector<cusim::ArrayReport> tiles;
    for (const auto& array : lab::launchOf(step.about).arrays)
        if (array.space == cusim::Space::Shared) tiles.push_back(array);
    if (tiles.size() != 2) return;
    if (tiles[0].bytes > tiles[1].bytes) std::swap(tiles[0], tiles[1]);
    if (tiles[0].bytes == 0 || tiles[1].bytes < 2 * tiles[0].bytes) return;
    lab::failOfNoStep("shared-memory",
                      "{}: {} has {} of shared memory, and {} has {}.\nEach must hold 64 x BK "
                      "floats: see the sizes and the types.",
                      step.about, tiles[1].name, lab::count(tiles[1].bytes, "byte"), tiles[0].name,
                      lab::grouped(tiles[0].bytes));
}

inline std::string decimal(double number) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", number);
    return text;
}

// Fails the test unless a thread reads this many words for that many products of this shape.
inline void expectWordsOf(const Step& step, Shape shape, std::uint64_t words,
                          std::uint64_t products) {
    const Counts counts = countsOf(step, shape);
    if (counts.sharedWords == 0)
        lab::fail("not-shared", step.about, "nothing is read from shared memory yet.");
    if (counts.heap.stores > 0)
        lab::fail("not-in-registers", step.about,
                  "the kernel stores {} to memory of new or malloc, which is device\nmemory. Use "
                  "local variables and local arrays: they can be in registers.",
                  lab::count(counts.heap.stores, "value"));
    const bool isRight = rightCalls().count({step.multiply, shape.j, shape.k, shape.l}) > 0;
    if (isRight && counts.threadIndex.line > 0)
        lab::fail("not-in-registers", step.about,
                  "in line {}, threads access different elements of a local array, so an\nindex "
                  "depends on the thread. Registers have no index: such an array is in "
                  "local\nmemory. Use the same indices in all threads.",
                  counts.threadIndex.line);
    for (const auto& array : lab::launchOf(step.about).arrays)
        if (array.space == cusim::Space::Shared && array.count.stores > 0 && array.count.loads == 0)
            lab::fail("not-shared", step.about, "nothing is read from the tile {} yet.",
                      array.name);
    if (counts.elementsAThread != products)
        lab::fail("elements-a-thread", step.about,
                  "a thread computes {} of P instead of {}.\nDo not change BM, BN, TM, TN and the "
                  "launch.",
                  lab::count(counts.elementsAThread, "element"), products);
    const std::uint64_t outputs = lab::product(shape.j, shape.l);
    const std::uint64_t stores = counts.global.storedBytes / sizeof(float);
    if (stores > outputs)
        lab::fail("store-count", step.about, "{} for {} of P. Store each sum once.",
                  lab::count(stores, "store"), lab::count(outputs, "element"));
    // All elements of the tiles of M and of N, by each of the blocks in a row or column of them.
    const int rows = shape.j / kOneTile.j, cols = shape.l / kOneTile.l;
    const std::uint64_t tiles =
        lab::product(shape.j, shape.k, cols) + lab::product(shape.k, shape.l, rows);
    const std::uint64_t loads = lab::floatsRead(counts.global);
    if (counts.blocks == lab::product(rows, cols) && loads > tiles)
        lab::fail("load-count", step.about,
                  "{} from device memory, but {} are enough: load each\nelement of a tile once.",
                  lab::count(loads, "load"), tiles);
    expectEqualTiles(step);
    const std::uint64_t enough =
        counts.depth == 0 ? counts.barriers : 2 * static_cast<unsigned>(shape.k) / counts.depth;
    // Each phase reads the same number of words.
    if (counts.barriers > enough &&
        counts.sharedWords * products * enough == counts.multiplyAdds * words * counts.barriers)
        lab::fail("too-many-barriers", step.about,
                  "a thread executes {}, but {} are enough. It also reads\ntoo many words of the "
                  "tiles, so there are too many phases: see the bounds of the\nloop over ph.",
                  lab::count(counts.barriers, "barrier"), enough);
    if (counts.barriers > enough)
        lab::fail("too-many-barriers", step.about,
                  "a thread executes {}, but {} are enough:\ntwo in each phase, outside of the "
                  "loop over i.",
                  lab::count(counts.barriers, "barrier"), enough);
    if (counts.sharedWords * products <= counts.multiplyAdds * words) return;
    lab::fail("shared-loads", step.about,
              "{} words are read from shared memory per multiply-add, but {} are\nenough: {} words "
              "for {} products. Read each word once into a local variable, and\nuse that variable.",
              decimal(counts.wordsEach()),
              decimal(static_cast<double>(words) / static_cast<double>(products)), words, products);
}

// Fails the test if an index of a local array depends on the block or on the phase. The tiles have
// a size of two's powers, so that three phases divide no other loop.
inline void expectFixedIndices(const Step& step) {
    const std::uint64_t depth = countsOf(step, kOneTile).depth;
    if (depth == 0) return;
    const Shape shape{kWholeTiles.j, 3 * static_cast<int>(depth), kWholeTiles.l};
    const int line = countsOf(step, shape, 3).changingIndex.line;
    if (line == 0) return;
    lab::fail("not-in-registers", step.about,
              "in line {}, an index of a local array depends on the block or on the\nphase. "
              "Registers have no index: such an array is in local memory. Use the same\nindices in "
              "all blocks and phases.",
              line);
}

inline void expectWords(const Step& step, std::uint64_t words, std::uint64_t products) {
    for (const Shape shape : {kWholeTiles, kOneTile}) expectWordsOf(step, shape, words, products);
    expectFixedIndices(step);
}
