// Compares the answers with measurements on the student's kernel.
#include "lab3_boundary/divergence_sim.h"
#include "testing/questions.h"

using matrix::Matrix;
using questions::expectNumber;
using questions::expectRounded;
using questions::Product;
using questions::sum;

namespace {

Product ones(Shape shape) {
    return questions::productOfOnes(shape.j, shape.k, shape.l, [=](Product& run) {
        boundedMatrixMul(run.M.data(), run.N.data(), run.P.data(), shape.j, shape.k, shape.l);
    });
}

// Counts the elements of an input that the launch loaded at least once.
double elementsLoaded(const Product& run, const Matrix& input) {
    const auto* array = run.launch.filledFrom(input.data());
    if (!array) questions::kernelFirst("which does not load all elements that it needs yet.");
    double loaded = 0;
    for (const std::uint32_t times : array->elementLoads) loaded += times > 0;
    return loaded;
}

struct Loads {
    double ofM = 0, ofN = 0;
};

// Returns the elements that each block must load. Each tile of P is a separate launch, so that
// a kernel may load an element twice for one block.
Loads needed(Shape shape) {
    const device::WithoutWarps withoutWarps;
    const int T = tileWidth();
    Loads all;
    for (int row = 0; row < shape.j; row += T)
        for (int col = 0; col < shape.l; col += T) {
            const Product run =
                ones({std::min(T, shape.j - row), shape.k, std::min(T, shape.l - col)});
            all.ofM += elementsLoaded(run, run.M);
            all.ofN += elementsLoaded(run, run.N);
        }
    return all;
}

double total(const Loads& loads) { return loads.ofM + loads.ofN; }

double barriers(int k) {
    const device::WithoutWarps withoutWarps;
    return static_cast<double>(ones({1, k, 1}).launch.barriersPerThread);
}

// Returns the number of phases for k columns: 1, and one for each step in the barriers, whose size
// is that of the second phase.
double phases(int k) {
    const double ofOne = barriers(tileWidth());
    const double each = barriers(2 * tileWidth()) - ofOne;
    if (each <= 0) questions::kernelFirst("whose phases cannot be told apart by their barriers.");
    return 1 + (barriers(k) - ofOne) / each;
}

const Shape kExample{24, 24, 24};

}  // namespace

TEST_CASE("Q1: the phases for k = 100") {
    expectNumber("Q1_phases", "See \"Steps\", step 1: each phase covers TILE_WIDTH columns of M.",
                 [] { return phases(100); });
}

TEST_CASE("Q2: values of k for which k / TILE_WIDTH + 1 is one phase too many") {
    expectNumber(
        "Q2_too_many",
        "Try a few k around TILE_WIDTH: for which k do k / TILE_WIDTH and (k - 1) / TILE_WIDTH "
        "differ, if both are rounded down?",
        [] {
            double tooMany = 0;
            for (int k = 1; k <= 100; ++k)
                if (k / tileWidth() + 1 > phases(k)) ++tooMany;
            return tooMany;
        });
}

TEST_CASE("Q3: the loads of M") {
    expectNumber("Q3_loads_of_M",
                 "Take one element of M: which blocks need it, and how many blocks are these?", [] {
                     return needed({70, 100, 50}).ofM;
                 });
}

TEST_CASE("Q4: the loads of N") {
    expectNumber("Q4_loads_of_N",
                 "Take one element of N: which blocks need it? Their number is not that of M.", [] {
                     return needed({70, 100, 50}).ofN;
                 });
}

TEST_CASE("Q5: zeros in the tiles of M if M is 24 x 24") {
    expectNumber(
        "Q5_zeros",
        "See \"Why\", and step 4: how many elements do the tiles of M have in all blocks and "
        "phases, and how many of these get an element of M?",
        [] {
            const double places = static_cast<double>(lab::blocksOf(ones(kExample).launch)) *
                                  phases(kExample.k) * tileWidth() * tileWidth();
            return places - needed(kExample).ofM;
        });
}

TEST_CASE("Q6: threads without an element of P if P is 24 x 24") {
    expectNumber("Q6_idle", "See \"Steps\", step 6: the grid has only whole blocks.", [] {
        const Product run = ones(kExample);
        return static_cast<double>(run.launch.threads) - static_cast<double>(run.P.size());
    });
}

TEST_CASE("Q7: loads that tiling saves for 1 x 100 times 100 x 1") {
    expectNumber(
        "Q7_saved",
        "Tiles save loads if several threads of a block need the same element. How many threads "
        "have an element of P here?",
        [] {
            // The naive kernel loads two elements for each term.
            const Shape shape{1, 100, 1};
            return 100 * (1 - total(needed(shape)) / (2 * sum(ones(shape).P)));
        });
}

TEST_CASE("Q8: loads that padding adds at Width 100") {
    expectRounded(
        "Q8_padded",
        "See padding/README.md: to which Width is 100 padded, and how does 2 x Width^2 x (blocks "
        "in a row) grow? The answer is the added part, in percent.",
        [] {
            const int Width = 100, padded = tilesIn(Width) * tileWidth();
            return 100 *
                   (total(needed({padded, padded, padded})) / total(needed({Width, Width, Width})) -
                    1);
        });
}

TEST_CASE("Q9: warps that diverge if P is 100 x 100") {
    expectNumber(
        "Q9_divergent",
        "See \"What it costs\": which blocks are at an edge of P? Take one warp of each kind, and "
        "write down for which of its threads each of the three tests is true.",
        [] {
            const Shape shape{100, 96, 100};
            ones(shape);
            return divergenceOf(shape, false).divergent;
        });
}
