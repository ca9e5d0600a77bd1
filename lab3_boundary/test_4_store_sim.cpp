// Tests the stores into P, and the grid whose threads make them.
#include "lab3_boundary/bounded_launch_sim.h"

using lab::count;

namespace {

// Returns shapes of any kind, one of whole tiles and two of a single block.
std::vector<Shape> shapes() {
    const int T = tileWidth();
    return {{5, 7, 70}, {70, 3, 5}, {33, 17, 65}, {1, 1, 1}, {3 * T, T, 2 * T}, {T, 1, T / 2 + 1}};
}

// Returns the first element of P that no thread stores; empty if there is none.
std::string neverStored(const cusim::ArrayReport& array, Shape shape) {
    const auto& stores = array.elementStores;
    const auto at = std::find(stores.begin(), stores.begin() + shape.j * shape.l, 0U);
    const auto i = static_cast<std::size_t>(at - stores.begin());
    return i < product(shape.j, shape.l) ? lab::elementAt(i, "P", shape.l) : "";
}

// Returns a sentence about an element that is stored more than once; empty if there is none.
std::string storedAgain(const cusim::ArrayReport* array, Shape shape) {
    if (!array) return "";
    const auto& stores = array->elementStores;
    const auto at = std::max_element(stores.begin(), stores.begin() + shape.j * shape.l);
    if (at == stores.begin() + shape.j * shape.l || *at < 2) return "";
    return lab::filled("\n{} is stored {}: do several threads have the same Row and Col?",
                       lab::elementAt(static_cast<std::size_t>(at - stores.begin()), "P", shape.l),
                       count(*at, "time"));
}

// Returns whether the grid causes missing stores: it has too few blocks, or x and y exchanged.
bool gridLeavesOut(const cusim::LaunchReport& launch, Shape shape) {
    const std::uint64_t blocks = lab::blocksOf(launch);
    const auto x = static_cast<unsigned>(tilesIn(shape.l)),
               y = static_cast<unsigned>(tilesIn(shape.j));
    return blocks < std::uint64_t{x} * y || (x != y && launch.grid.x == y && launch.grid.y == x);
}

}  // namespace

TEST_CASE("TODO(5): the kernel stores each element of P once, and nothing else") {
    const lab::CountElements counting;
    const lab::Forgiving forgiving(kAccesses, {5});
    for (const Shape shape : shapes()) {
        const WithRightGrid withRightGrid(shape);
        const lab::ProductRun run = runForCounts(shape);
        const auto& launch = launchOf(Todo(5));
        if (launch.global().stores == 0)
            lab::fail(
                "never-written", Todo(5),
                "nothing is stored. The last statement of the kernel stores Pvalue\nin P, for "
                "threads whose Row and Col are inside P.{}",
                seenWith(shape));
        lab::expectNoAtomics(Todo(5), "store-count", launch.global(), "P");
        const auto* array = launch.copiedInto(run.P.data());
        const std::uint64_t stored = launch.global().storedBytes / sizeof(float);
        const std::string missing = array ? neverStored(*array, shape) : "an element of P";
        // The grid's own test reports the elements that a grid leaves out.
        if (stored != product(shape.j, shape.l) && missing.empty())
            lab::fail("store-count", Todo(5),
                      "{} for {} of P.\nSum in a local variable and store it once, "
                      "after the loop over the phases.{}",
                      count(stored, "store"), count(product(shape.j, shape.l), "element"),
                      seenWith(shape));
        const std::string again = storedAgain(array, shape);
        if (stored != product(shape.j, shape.l) && !gridLeavesOut(launch, shape)) {
            if (!again.empty()) lab::blameNoStep();
            lab::fail("store-count", Todo(5),
                      "{} is never stored, but the grid has enough blocks: {} for\n{}.{}{}",
                      missing, count(stored, "store"), count(product(shape.j, shape.l), "element"),
                      again.empty() ? " Does the test of the store exclude too many threads? Row "
                                      "must\nbe less than j, and Col less than l."
                                    : again,
                      seenWith(shape));
        }
        if (stored == product(shape.j, shape.l) && !missing.empty())
            lab::fail("store-count", Todo(5),
                      "{} is never stored, and another element more than once.\nA row of P has l "
                      "elements.{}",
                      missing, seenWith(shape));
    }
}

TEST_CASE("TODO(6): the grid covers P for every shape, and every block is needed") {
    const lab::CountElements counting;
    const lab::Forgiving forgiving(kAccesses);
    for (const Shape shape : shapes()) {
        const lab::ProductRun run = runForCounts(shape);
        const auto& launch = launchOf(Todo(6));
        const std::uint64_t blocks = lab::blocksOf(launch);
        const std::uint64_t wanted = product(tilesIn(shape.j), tilesIn(shape.l));
        const std::string expected =
            lab::filled("P needs {} in x, for its columns, and {} in y, for its rows",
                        tilesIn(shape.l), tilesIn(shape.j));
        lab::expectOneLaunch(Todo(6), "all of P");
        const auto* array = launch.copiedInto(run.P.data());
        const bool complete = array && neverStored(*array, shape).empty();
        // Fewer blocks are enough if each continues with further tiles.
        if (blocks > wanted || (blocks < wanted && !complete))
            lab::fail(
                "grid-size", Todo(6),
                "the grid has {}.\n{}.\n{}\n(For another width, use make test TILE_WIDTH=n. Do "
                "not change the file.){}{}",
                count(blocks, "block"), expected, lab::divideAndRoundUp(),
                lab::ifExchanged(launch, shape.l, shape.j), seenWith(shape));
        if (array && launch.grid.x != launch.grid.y &&
            launch.grid.x == static_cast<unsigned>(tilesIn(shape.j)) && !complete)
            lab::fail("grid-size", Todo(6), "the grid has {} in x and {} in y.\n{}.{}",
                      count(launch.grid.x, "block"), launch.grid.y, expected, seenWith(shape));
    }
    const matrix::DataSet set = lab::integers({5, 3, 4});
    matrix::Matrix P = matrix::poisoned(5, 4);
    lab::expectCallsChecked("boundedMatrixMul", lab::gives(P), [&] {
        boundedMatrixMul(set.M.data(), set.N.data(), P.data(), 5, 3, 4);
    });
}
