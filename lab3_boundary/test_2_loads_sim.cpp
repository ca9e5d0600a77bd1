// Tests the loads from global memory, element by element.
#include <numeric>

#include "lab3_boundary/bounded_launch_sim.h"

using lab::count;

namespace {

struct Input {
    std::string name;
    Todo todo;
    const matrix::Matrix& matrix;
    int times;  // number of blocks that need an element
};

// Returns the remedy. A grid with too few blocks loads too little in any case, so the grid must be
// mended first.
lab::Text remedyFor(Shape shape, const Todo& todo) {
    const auto& grid = launchOf(todo).grid;
    const auto x = static_cast<unsigned>(tilesIn(shape.l)),
               y = static_cast<unsigned>(tilesIn(shape.j));
    if (grid.x >= x && grid.y >= y)
        return ".\nEach block whose tiles need an element loads it once.";
    lab::beginWith(Todo(6));
    return lab::filled(
        ".\nThe grid has {} x {} blocks, where P takes {} x {}: the load may be right.\nIt can be "
        "judged when {} is done.",
        grid.x, grid.y, x, y, Todo(6));
}

// Fails the test unless each of the blocks that need an element loads it once.
//
// One other correct way is accepted: an index that is clamped to the matrix (by min, say), so that
// threads beyond an edge load an element and discard it. It loads whole rows or columns of the
// tiles. Numbers in between show a test that lets too many threads load.
void expectLoadsOf(const Input& input, Shape shape) {
    const auto* array = launchOf(input.todo).filledFrom(input.matrix.data());
    const std::uint64_t all = array ? std::accumulate(array->elementLoads.begin(),
                                                      array->elementLoads.end(), std::uint64_t{0})
                                    : 0;
    if (!array) lab::expectCopiedIn("boundedMatrixMul", input.name, input.matrix);
    if (all == 0)
        lab::fail("load-count", input.todo, "the kernel never loads an element of {}.{}",
                  input.name, seenWith(shape));
    const int rows = input.matrix.rows(), cols = input.matrix.cols();
    const auto times = static_cast<std::uint32_t>(input.times);
    std::string tooOften;
    for (std::size_t i = 0; i < input.matrix.size(); ++i) {
        const std::uint32_t loads = array->elementLoads[i];
        const std::string found =
            lab::filled("{} is loaded {}, where {}{} expected", lab::elementAt(i, input.name, cols),
                        count(loads, "time"), count(times, "load"), times == 1 ? " is" : " are");
        if (loads < times)
            lab::fail("load-count", input.todo, "{}{}{}", found, remedyFor(shape, input.todo),
                      seenWith(shape));
        if (loads > times && tooOften.empty()) tooOften = found;
    }
    const std::uint64_t wholeRows = product(input.times, tilesIn(rows) * tileWidth(), cols);
    const std::uint64_t wholeCols = product(input.times, rows, tilesIn(cols) * tileWidth());
    const std::uint64_t whole =
        product(input.times, tilesIn(rows) * tileWidth(), tilesIn(cols) * tileWidth());
    if (tooOften.empty() || all == wholeRows || all == wholeCols || all == whole) return;
    lab::fail("load-count", input.todo,
              "{} of {} instead of {}.\n{}.\nTest row and column, each by its own limit: what lies "
              "past the end of a\nrow is the next row's.{}",
              count(all, "load"), input.name, count(product(input.times, rows, cols), "load"),
              tooOften, seenWith(shape));
}

// Returns shapes with different j, k and l, each slightly above or below whole tiles.
std::vector<Shape> raggedShapes() {
    const int T = tileWidth();
    return {{2 * T + 1, T + 1, 3 * T + 1}, {T + 1, 3 * T + 1, 2 * T + 1}, {3, 5 * T - 1, T + 1}};
}

}  // namespace

TEST_CASE("TODO(2): M is loaded j x k x ceil(l / TILE_WIDTH) times, no more") {
    const lab::CountElements counting;
    const lab::Forgiving forgiving(kAccesses, {2});
    for (const Shape shape : raggedShapes()) {
        const WithRightGrid withRightGrid(shape);
        const lab::ProductRun run = runForCounts(shape);
        expectLoadsOf({"M", Todo(2), run.set.M, tilesIn(shape.l)}, shape);
    }
}

TEST_CASE("TODO(3): N is loaded k x l x ceil(j / TILE_WIDTH) times, no more") {
    const lab::CountElements counting;
    const lab::Forgiving forgiving(kAccesses, {3});
    for (const Shape shape : raggedShapes()) {
        const WithRightGrid withRightGrid(shape);
        const lab::ProductRun run = runForCounts(shape);
        expectLoadsOf({"N", Todo(3), run.set.N, tilesIn(shape.j)}, shape);
    }
}
