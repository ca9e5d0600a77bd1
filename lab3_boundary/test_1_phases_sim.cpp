// Tests the phases, by the simulated device's counts.
#include "lab3_boundary/bounded_launch_sim.h"

namespace {

// Returns how many columns of a row of M are loaded, up to the last one.
int columnsLoaded(const cusim::ArrayReport& array, int k) {
    for (int col = k; col > 0; --col)
        if (array.elementLoads[static_cast<std::size_t>(col) - 1] > 0) return col;
    return 0;
}

}  // namespace

TEST_CASE("TODO(1): the phases cover the k columns of M, and each has two barriers") {
    const lab::CountElements counting;
    const lab::Forgiving forgiving(kAccesses);
    const int T = tileWidth();
    for (const Shape shape :
         {Shape{1, 2 * T + 1, 3}, {1, T, 1}, {2 * T + 1, T, 1}, {1, T, 2 * T + 1}}) {
        const WithRightGrid withRightGrid(shape);
        const lab::ProductRun run = runBounded(Todo(1), lab::integers(shape), kNotAboutCounts);
        const auto& launch = launchOf(Todo(1));
        const int phases = tilesIn(shape.k);
        if (launch.barriersPerThread == 0)
            lab::fail("phase-count", Todo(1),
                      "no thread reaches a barrier yet: there are no phases.{}", seenWith(shape));
        const auto* array = launch.filledFrom(run.set.M.data());
        const int loaded = array ? columnsLoaded(*array, shape.k) : 0;
        const bool allPhases = phasesStored(launch) == static_cast<std::uint64_t>(phases);
        if (loaded == T && phases > 1 && withRightGrid.ownDepth == static_cast<unsigned>(phases))
            lab::fail("phase-count", Todo(1),
                      "a block loads {} of the {} columns of M: the launch has {} blocks "
                      "along z,\none per phase. The exercise asks for a grid of two "
                      "dimensions, and for a loop\nover the phases in the kernel.{}",
                      loaded, shape.k, phases, seenWith(shape));
        if (loaded > 0 && loaded < shape.k && loaded % T == 0 && !allPhases)
            lab::fail("phase-count", Todo(1),
                      "M has {}, but only the first {} are loaded.\nThe phases move along k: "
                      "{} of them are needed.\n{}{}",
                      lab::count(shape.k, "column"), loaded, phases, lab::divideAndRoundUp(),
                      seenWith(shape));
        // Loads show the phases better than barriers do; without loads, barriers must do.
        const bool nothingLoaded = array ? loaded == 0 : launch.global().loads == 0;
        if (nothingLoaded && launch.barriersPerThread < 2 * static_cast<unsigned>(phases))
            lab::fail("phase-count", Todo(1),
                      "a thread executes {}. The {} columns of M\nneed {} with two "
                      "barriers each. The last columns also need one.\n{}{}",
                      lab::count(launch.barriersPerThread, "barrier"), shape.k,
                      lab::count(phases, "phase"), lab::divideAndRoundUp(), seenWith(shape));
        if (launch.barriersPerThread <= 2 * static_cast<unsigned>(phases)) continue;
        if (allPhases)
            lab::fail(
                "too-many-barriers",
                "boundedMatrixMul: a thread executes {} in {}, but {} are\nenough: one after the "
                "loads and one after the products, none inside their loop.{}",
                lab::count(launch.barriersPerThread, "barrier"), lab::count(phases, "phase"),
                2 * phases, seenWith(shape));
        const bool narrow = launch.shared().stores < launch.barriers && lab::isRight(run);
        lab::fail("too-many-barriers", Todo(1),
                  "a thread executes {}. The {} columns of M\nneed {} with two barriers "
                  "each. {}{}",
                  lab::count(launch.barriersPerThread, "barrier"), shape.k,
                  lab::count(phases, "phase"),
                  narrow ? "CUDA allows narrower phases,\nbut the exercise asks for phases of "
                           "TILE_WIDTH columns."
                         : "An additional phase adds only\nzeros, and takes as long as any other.",
                  seenWith(shape));
    }
}
