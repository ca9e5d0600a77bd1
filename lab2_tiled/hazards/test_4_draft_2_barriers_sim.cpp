// Tests barriers and traffic of the printed draft of the tiled kernel.
#include "lab2_tiled/hazards/barriers.h"
#include "lab2_tiled/hazards/draft_run.h"
#include "testing/reads_of_tiles_sim.h"

namespace {

const std::uint64_t kPhases = 3;

hazards::Trial onDraft() {
    const int Width = static_cast<int>(kPhases) * hazards::widthOfTiles();
    const matrix::DataSet set = lab::integers(lab::square(Width));
    const auto wanted = [&](int Row, int Col) {
        float sum = 0.0F;
        for (int k = 0; k < Width; ++k) sum += set.M(Row, k) * set.N(k, Col);
        return sum;
    };
    matrix::Matrix product = exact::right(Width, Width, wanted);
    const auto guess = [=](const matrix::Matrix& P) {
        const std::string looks = lab::looksOf(P, set);
        return looks.empty()
                   ? exact::neverLoaded({{"M", Width}, {"N", Width}}, "see the index of its load.")
                   : looks;
    };
    return {"draftMatrixMul", matrix::poisoned(Width, Width), std::move(product),
            [=](float* P) { draftMatrixMul(set.M.data(), set.N.data(), P, Width); }, guess};
}

}  // namespace

TEST_CASE("TODO(5): barriers separate the loads of a tile from the reads of a tile") {
    const lab::CountElements counting;
    hazards::expectSynchronized(Todo(5), 2 * kPhases, onDraft());
}

TEST_CASE("TODO(5): a thread waits at no more than two barriers a phase") {
    // The barrier after the last phase orders nothing, so 2 x phases - 1 would do. It is allowed
    // because it keeps the loop simple.
    hazards::countedLaunch(Todo(5), onDraft());
    hazards::expectNoMoreBarriers(Todo(5), "draftMatrixMul", 2 * kPhases,
                                  "One between loading the tiles and using them, one between using "
                                  "them and the\nnext load, in each of " +
                                      lab::count(kPhases, "phase") + ".");
    hazards::expectCallsChecked("draftMatrixMul", onDraft());
}

TEST_CASE("TODO(6): each element of P is stored once") {
    const auto& launch = hazards::countedLaunch(Todo(6), onDraft());
    const std::uint64_t Width = kPhases * static_cast<unsigned>(testing::chosenTileWidth());
    if (launch.global().stores == Width * Width) return;
    lab::fail("store-count", Todo(6),
              "{} for {} of P.\nStore Pvalue once, after the loop over the phases: before that, "
              "the sum\nis not complete.",
              lab::count(launch.global().stores, "store"), lab::count(Width * Width, "element"));
}

TEST_CASE("the repaired draft makes 2 x Width^3 / TILE_WIDTH global loads") {
    const lab::CountElements counting;
    const matrix::DataSet set = hazards::threeTiles(matrix::Pattern::SmallIntegers);
    const int Width = set.spec.j;
    matrix::Matrix P = matrix::poisoned(Width, Width);
    // Other tests judge its findings.
    cusim::reset();
    testing::guarded(lab::gives(P).from(set.M, set.N),
                     [&] { draftMatrixMul(set.M.data(), set.N.data(), P.data(), Width); });
    const auto& launch = hazards::onlyLaunch("draftMatrixMul");
    const std::uint64_t wanted = 2 * lab::product(Width, Width) * kPhases;
    if (launch.global().loads != wanted)
        lab::fail(
            "load-count",
            "draftMatrixMul: {} instead of {}.\nDo not change how the kernel loads its tiles.",
            lab::count(launch.global().loads, "global load"), lab::count(wanted, "load"));
    lab::holdToTiles(set, testing::chosenTileWidth());
}
