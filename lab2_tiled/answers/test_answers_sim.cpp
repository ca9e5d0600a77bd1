// Compares the answers with measurements: on the student's kernel, on those of given.cu, or from
// the device's properties.
#include "lab2_tiled/answers/given.h"
#include "lab2_tiled/lab2.h"
#include "matrix/compare.h"
#include "testing/questions.h"
#include "testing/tile_width.h"

using matrix::Matrix;
using questions::expectNumber;
using questions::expectRounded;
using questions::Product;
using questions::sum;

namespace {

// Multiplies ones, whose product counts its own terms. ones() below checks that the kernel is
// tiled, because the answers depend on its counts: in a single tile, each element is loaded once.
Product product(int Width) {
    return questions::productOfOnes(Width, Width, Width, [=](Product& run) {
        tiledMatrixMul(run.M.data(), run.N.data(), run.P.data(), Width);
    });
}

// Returns the loads in floats, because one load may take several.
double loads(const Product& run) {
    return static_cast<double>(run.launch.global().loadedBytes) / sizeof(float);
}

Product ones(int Width) {
    if (loads(product(tileWidth())) != 2.0 * tileWidth() * tileWidth())
        questions::kernelFirst("which does not share what its threads load yet.");
    return product(Width);
}

// Returns how often an element of M is needed, once for each term of a sum.
double needed(const Product& run) { return sum(run.P) / static_cast<double>(run.M.size()); }

double loaded(const Product& run) {
    const auto* array = run.launch.filledFrom(run.M.data());
    if (!array) questions::kernelFirst("which does not load M yet.");
    return static_cast<double>(array->count.loadedBytes) / sizeof(float) /
           static_cast<double>(run.M.size());
}

// Counts a multiplication and an addition for each term.
double operationsPerLoad(const Product& run) { return 2 * sum(run.P) / loads(run); }

// Returns 10^9 operations a second for a bandwidth in 10^9 bytes a second.
double allowed(const Product& run, double bandwidth) {
    return bandwidth * operationsPerLoad(run) / sizeof(float);
}

bool rightForSure(int BLOCK_WIDTH) {
    Matrix A(BLOCK_WIDTH, BLOCK_WIDTH, 1.0F);
    device::reset();
    return device::runQuietly(lab::gives(A), [&] { given::transpose(A.data(), BLOCK_WIDTH); })
        .problems.empty();
}

cudaDeviceProp deviceAtHand() {
    cudaDeviceProp device{};
    cudaGetDeviceProperties(&device, 0);
    return device;
}

const char* const kWhy =
    "See \"Why\": the threads of one block share the elements that they load. ";
const char* const kGain =
    "See \"What it gains\": the ratio is the number of operations per load of 4 bytes.";

}  // namespace

TEST_CASE("Q1: how often an element of M is needed at Width 64") {
    expectNumber("Q1_untiled", "Take M[0][0]: which elements of P need it?",
                 [] { return needed(ones(64)); });
}

TEST_CASE("Q2: how often an element of M is loaded at Width 64") {
    expectNumber("Q2_tiled", std::string(kWhy) + "How many blocks need an element of M?",
                 [] { return loaded(ones(64)); });
}

TEST_CASE("Q3: the percentage of the loads that remains") {
    expectRounded(
        "Q3_percent",
        "Divide Q2 by Q1. The answer is in percent: 50 means half. C++ cuts off the quotient of "
        "two whole numbers: write 100.0.",
        [] {
            const Product run = ones(64);
            return 100 * loaded(run) / needed(run);
        });
}

TEST_CASE("Q4: the loads of one block at Width 64") {
    expectNumber("Q4_block",
                 "See \"Steps\", 2 and 3: how many elements does a phase load, and how many phases "
                 "are there?",
                 [] {
                     const Product run = ones(64);
                     return loads(run) / static_cast<double>(lab::blocksOf(run.launch));
                 });
}

TEST_CASE("Q5: GFLOP/s with 150 GB/s") {
    expectRounded("Q5_at_150", kGain, [] { return allowed(ones(64), 150); });
}

TEST_CASE("Q6: GFLOP/s with 86.4 GB/s") {
    expectRounded("Q6_at_86", kGain, [] { return allowed(ones(64), 86.4); });
}

TEST_CASE("Q7: the smallest TILE_WIDTH for 1,000 GFLOP/s with 150 GB/s") {
    expectNumber("Q7_enough", std::string(kGain) + " Try one TILE_WIDTH after the other.", [] {
        // The ratio is proportional to the tile's width.
        const double ofOne = allowed(ones(64), 150) / tileWidth();
        int T = 2;
        while (ofOne * T < 1000) T *= 2;
        return T;
    });
}

TEST_CASE("Q8: the largest TILE_WIDTH that a block's threads allow") {
    expectNumber("Q8_largest",
                 "A tile has TILE_WIDTH rows of TILE_WIDTH elements. Each needs a thread.", [] {
                     int T = 1;
                     while ((T + 1) * (T + 1) <= deviceAtHand().maxThreadsPerBlock) ++T;
                     return T;
                 });
}

TEST_CASE("Q9: the transpose without a barrier that is always right") {
    expectNumber(
        "Q9_for_sure",
        "Draw the smallest blocks: which thread writes the element of blockA that a thread reads? "
        "Can the write come after the read? See hazards/README.md.",
        [] {
            int BLOCK_WIDTH = 0;
            while (BLOCK_WIDTH < 20 && rightForSure(BLOCK_WIDTH + 1)) ++BLOCK_WIDTH;
            return BLOCK_WIDTH;
        });
}

TEST_CASE("Q10: the transpose without a barrier that is right by luck") {
    expectNumber(
        "Q10_by_luck",
        "In lockstep no thread of a warp reads before all of them have written. How large can a "
        "block be that fits into one warp?",
        [] {
            int BLOCK_WIDTH = 1;
            while ((BLOCK_WIDTH + 1) * (BLOCK_WIDTH + 1) <= deviceAtHand().warpSize) ++BLOCK_WIDTH;
            return BLOCK_WIDTH;
        });
}

TEST_CASE("Q11: the passes for a column if rows are 40 words long") {
    expectNumber(
        "Q11_passes",
        "See banks/README.md: write down the banks of words 0, 40, 80, ... until they repeat. "
        "How many threads share a bank?",
        [] {
            Matrix out(1, 32);
            const auto& warps =
                questions::launchOf(lab::gives(out), [&] { given::column(out.data(), 40); }).warps;
            return static_cast<double>(warps.sharedPasses) /
                   static_cast<double>(warps.sharedRequests);
        });
}

TEST_CASE("Q12: the share of the arithmetic that shared memory allows") {
    expectRounded("Q12_arithmetic",
                  "See card.md: how many words of shared memory does your kernel read per "
                  "multiply-add? For how many multiply-adds are 32 words enough?",
                  [] {
                      const Product run = ones(64);
                      const double words = static_cast<double>(run.launch.shared().loadedBytes) /
                                           sizeof(float) / sum(run.P);
                      return 100 * (32 / words) / 128;
                  });
}
