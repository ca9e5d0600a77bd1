// Tests that elements beyond an edge add nothing to any sum. A stale element that is multiplied by
// 0 shows only if it is infinite: 0 x infinity is NaN.
#include <cuda_runtime.h>

#include <cmath>
#include <limits>

#include "lab3_boundary/bounded_run.h"
#include "lab3_boundary/two_tiles.h"
#include "testing/role.h"
#ifdef CUDA_SIMULATED_DEVICE
#include "lab3_boundary/bounded_launch_sim.h"
#endif

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Returns positive whole numbers, so that an infinite element makes exactly its own sums infinite.
matrix::DataSet positive(Shape shape) {
    matrix::DataSet set = lab::integers(shape);
    for (matrix::Matrix* matrix : {&set.M, &set.N})
        for (std::size_t i = 0; i < matrix->size(); ++i)
            matrix->data()[i] = 1.0f + static_cast<float>(i % 7);
    return set;
}

// Runs the kernel; fails the test if P is not stored: then there is nothing to judge. One block
// covers all of these shapes, so the grid leaves out no element.
lab::ProductRun runStored(const matrix::DataSet& set, const std::vector<std::string>& leftOut) {
#ifdef CUDA_SIMULATED_DEVICE
    const WithRightGrid withRightGrid(shapeOf(set));
#endif
    lab::ProductRun run = runBounded(Todo(4), set, leftOut);
    const std::vector<std::size_t> missing = lab::unwrittenIn(run.P);
    if (missing.empty()) return run;
    lab::beginWith(Todo(5));
    if (run.P == matrix::poisoned(set.spec.j, set.spec.l))
        lab::fail("never-written", Todo(4),
                  "P is unchanged, so the test cannot judge the zeros. Write them\nnext to the "
                  "loads. The store is {}.{}",
                  Todo(5), seenWith(shapeOf(set)));
    lab::fail("partly-written", Todo(4),
              "{} is unchanged, so the test cannot judge the zeros.\nThe store is {}.{}",
              lab::elementAt(missing.front(), "P", run.P.cols()), Todo(5), seenWith(shapeOf(set)));
}

// Multiplies whole tiles, which need no zeros: a product that is wrong then is no fault of theirs.
lab::ProductRun runWholeTiles(int phases, bool fractions = false) {
    const Shape shape{tileWidth(), phases * tileWidth(), tileWidth()};
    return runBounded("boundedMatrixMul", fractions ? lab::fractions(shape) : lab::integers(shape),
                      {"unset-output"});
}

#ifdef CUDA_SIMULATED_DEVICE
// Returns which tile holds only zeros when the products read it, as 0 x infinity is NaN; empty
// if none does. Only whole tiles show that.
std::string ifTileIsZero() {
    const lab::CountSharedElements counting;
    for (const char* const name : {"N", "M"}) {
        const int T = tileWidth();
        matrix::DataSet set = lab::integers({T, T, T});
        matrix::Matrix &zero = *name == 'N' ? set.N : set.M, &other = *name == 'N' ? set.M : set.N;
        std::fill_n(zero.data(), zero.size(), 1.0f);
        std::fill_n(other.data(), other.size(), kInfinity);
        const matrix::Matrix P = runBounded("boundedMatrixMul", set, {"unset-output"}).P;
        if (!std::all_of(P.data(), P.data() + P.size(), [](float v) { return std::isnan(v); }))
            continue;
        for (const auto& array : launchOf("boundedMatrixMul").arrays) {
            const auto& stores = array.elementStores;
            if (array.space == cusim::Space::Shared && !stores.empty() &&
                *std::min_element(stores.begin(), stores.end()) == 2)
                return lab::filled(
                    "\nThe tile of {} holds only 0 when it is read. In each phase two values are "
                    "stored\ninto each element of {}: does the store of 0 replace the element of "
                    "{}? Store 0 in\nthe else of the if that loads, or before the load.",
                    name, array.name, name);
        }
        return lab::filled("\nThe tile of {} holds only 0 when it is read.", name);
    }
    return "";
}
#endif

// Returns the advice for a kernel that reads no tile, or loads and reads whole tiles and stores 0;
// else nothing. It may call the code, so it depends on no judgement: a program that records makes
// none.
std::string ifZeroIsStored([[maybe_unused]] const lab::ProductRun& whole) {
#ifdef CUDA_SIMULATED_DEVICE
    if (cusim::launches().empty()) return "";
    const float* const P = whole.P.data();
    const auto& launch = launchOf("boundedMatrixMul");
    if (launch.shared().loads == 0)
        return "\nNo thread reads the tiles: does the loop over the products run?";
    const std::uint64_t tile = product(tileWidth(), tileWidth());
    if (launch.global().loads < 2 * tile)
        return lab::filled(
                   "\nBut only {} of the {} elements of M and N are loaded: see the conditions "
                   "before the\nloads, {} and {}. They fail if TILE_WIDTH divides k.",
                   launch.global().loads, 2 * tile, Todo(2), Todo(3))
            .words;
    if (launch.global().loads >= 2 * tile && launch.shared().loads >= 2 * tile * tileWidth() &&
        std::all_of(P, P + whole.P.size(), [](float value) { return value == 0.0f; })) {
        const std::string zeros = ifTileIsZero();
        return !zeros.empty() ? zeros
                              : "\nThe tiles are loaded and read, and 0 is stored: is P stored "
                                "before the products\nare added, and are they added to what is "
                                "stored?";
    }
#endif
    return "";
}

// Returns that threads leave out products, by the reads of the tiles; empty if none does. A kernel
// that needs fewer than two reads for a product is left alone: it also does in whole tiles.
std::string ifProductsLeftOut([[maybe_unused]] Shape shape, [[maybe_unused]] bool twoReadsEach) {
#ifdef CUDA_SIMULATED_DEVICE
    const std::uint64_t reads = launchOf("boundedMatrixMul").shared().loads;
    const std::uint64_t wanted = 2 * product(shape.j, shape.k, shape.l);
    if (twoReadsEach && reads < wanted)
        return lab::filled(
            "{} need {} of the tiles,\nbut there are {}: an if keeps threads from "
            "their products. Each thread with an element\nof P adds all its "
            "products, even if its own loads are outside.\n",
            lab::count(product(shape.j, shape.k, shape.l), "product"), lab::count(wanted, "read"),
            lab::grouped(reads));
#endif
    return "";
}

// Returns whether the last launch reads the tiles twice for each product of whole tiles.
bool readsTwice() {
#ifdef CUDA_SIMULATED_DEVICE
    const std::uint64_t T = tileWidth();
    return !cusim::launches().empty() &&
           launchOf("boundedMatrixMul").shared().loads == 2 * T * T * T;
#else
    return false;
#endif
}

bool isWrong(const lab::ProductRun& run) {
    return lab::unwrittenIn(run.P).empty() && !lab::isRight(run);
}

// Explains a wrong element of P; `infinite` names the infinite element.
std::string whyWrong(float got, float wanted, const std::string& infinite) {
    if (std::isfinite(got))
        return std::isfinite(wanted) && got > wanted
                   ? ".\nThe sum is too large. Outside of M and N, a tile must hold 0.0f in every\n"
                     "phase, and nothing of the phase before."
                   : ".\n" + infinite +
                         " is infinite. A product is missing in this sum, or its elements are\n"
                         "wrong.";
    return ", where " + infinite + " is infinite.\n" +
           (std::isfinite(wanted)
                ? "It is not part of this sum, but was added as 0 x infinity. Outside of M and\n"
                : "It belongs to this sum, but is also multiplied by 0 in it: 0 x infinity is "
                  "NaN.\n"
                  "Store 0.0f where there is nothing to load, not a product. Outside of M and\n") +
           "N, a tile must hold 0.0f, and nothing of the phase before or of another\nrow.";
}

void expectInPlace(const matrix::DataSet& given, const std::string& infinite, bool zerosToBlame) {
    const lab::ProductRun run = runStored(given, {"unset-output", "unset-read"});
    if (!testing::judges()) return;
    for (int row = 0; row < run.P.rows(); ++row)
        for (int col = 0; col < run.P.cols(); ++col) {
            float wanted = 0.0f;
            for (int i = 0; i < given.spec.k; ++i) wanted += given.M(row, i) * given.N(i, col);
            // Fails for NaN, too, unlike got != wanted.
            if (run.P(row, col) == wanted) continue;
            if (!zerosToBlame)
                lab::failOfNoStep("beyond-the-edge",
                                  "boundedMatrixMul: {} is {} instead of {}.\nWhole tiles need no "
                                  "zeros, but their product is wrong, too.{}",
                                  element("P", row, col), std::to_string(run.P(row, col)),
                                  std::to_string(wanted), seenWith(shapeOf(given)));
            lab::fail("beyond-the-edge", Todo(4), "{} is {} instead of {}{}{}",
                      element("P", row, col), std::to_string(run.P(row, col)),
                      std::to_string(wanted), whyWrong(run.P(row, col), wanted, infinite),
                      seenWith(shapeOf(given)));
        }
}

}  // namespace

TEST_CASE("TODO(4): a tile holds zeros for elements outside M and N") {
    bool twoReadsEach = false;
    for (const bool fractions : {false, true}) {
        const lab::ProductRun whole = runWholeTiles(1, fractions);
        twoReadsEach = readsTwice();
        const std::string zero = fractions ? "" : ifZeroIsStored(whole);
        if (!isWrong(whole)) continue;
        lab::blameNoStep();
        expectTwoTiles("boundedMatrixMul");
        INFO("No tile needs a zero here." << zero);
        lab::expectProduct("boundedMatrixMul", whole);
    }
    const int part = (tileWidth() + 1) / 2;
    for (const Shape shape : {Shape{part, part, part}, {1, 1, 1}, {part, 1, tileWidth()}}) {
        const lab::ProductRun run = runStored(lab::integers(shape), {"unset-output"});
        const std::string left = isWrong(run) ? ifProductsLeftOut(shape, twoReadsEach) : "";
        if (!left.empty()) lab::blameNoStep();
        INFO(left);
        lab::expectProduct(left.empty() ? lab::Text(Todo(4)) : "boundedMatrixMul", run);
    }
}

TEST_CASE("TODO(4): no infinity from elsewhere gets into a sum") {
    const bool zerosToBlame = !isWrong(runWholeTiles(2));
    const Shape shape{3, tileWidth() + (tileWidth() + 1) / 2, 3};
    const matrix::DataSet plain = positive(shape);
    for (int i = 0; i < shape.k; ++i) {
        matrix::DataSet set = plain;
        set.M(i % shape.j, i) = kInfinity;
        expectInPlace(set, element("M", i % shape.j, i), zerosToBlame);
        set = plain;
        set.N(i, i % shape.l) = kInfinity;
        expectInPlace(set, element("N", i, i % shape.l), zerosToBlame);
    }
}
