// Tests the loads from global memory, element by element.
#include <numeric>

#include "lab3_boundary/bounded_launch_sim.h"
#include "testing/reads_of_tiles_sim.h"

using lab::count;

namespace {

struct Input {
    std::string name;
    Todo todo;
    const matrix::Matrix& matrix;
    int times;  // number of blocks that need an element
    const lab::ProductRun& run;
};

// Fails the test if the grid is not that of P, because its counts judge no load.
void expectGridFor(Shape shape, const Input& input, const std::string& found) {
    const auto& grid = launchOf(input.todo).grid;
    const auto x = static_cast<unsigned>(tilesIn(shape.l)),
               y = static_cast<unsigned>(tilesIn(shape.j));
    if (grid.x == x && grid.y == y) return;
    lab::beginWith(Todo(6));
    lab::fail("load-count", input.todo,
              "{}.\nThe grid has {} x {} blocks, but P needs {} x {}: the load may be right.\nThe "
              "test can judge it when {} is done.{}",
              found, grid.x, grid.y, x, y, Todo(6), seenWith(shape));
}

// Returns whether each element of this row or column, counted from 0, has the count 0.
bool isEmpty(const std::vector<std::uint32_t>& counts, int rows, int cols, bool row, int line) {
    for (int i = 0; i < (row ? cols : rows); ++i)
        if (counts[product(row ? line : i, cols) + static_cast<unsigned>(row ? i : line)] > 0)
            return false;
    return true;
}

// Recognizes a Row or Col that no thread has: the row of M, or the column of N, is not loaded, and
// that of P not stored either. A test around the load leaves the store alone.
std::string skippedIn(const Input& input, int line) {
    const bool row = input.name == "M";
    const matrix::Matrix& P = input.run.P;
    const auto* array = launchOf(input.todo).copiedInto(P.data());
    if (!array || array->elementStores.size() < P.size()) return "";
    const auto stored = [&](int at) {
        return !isEmpty(array->elementStores, P.rows(), P.cols(), row, at);
    };
    if (stored(line)) return "";
    for (int later = line + 1; later < (row ? P.rows() : P.cols()); ++later)
        if (stored(later)) {
            lab::blameNoStep();
            return lab::filled(
                ",\nand no such element of P is stored, but later ones are: no thread has\n{} {}. "
                "{} is "
                "blockIdx.{} * TILE_WIDTH + threadIdx.{}.",
                row ? "Row" : "Col", line, row ? "Row" : "Col", row ? 'y' : 'x', row ? 'y' : 'x');
        }
    lab::blameNoStep();
    return lab::filled(
        ",\nand no such element of P is stored. Does a thread have {} {}, which is\nblockIdx.{} * "
        "TILE_WIDTH + threadIdx.{}? Does it return too early?",
        row ? "Row" : "Col", line, row ? 'y' : 'x', row ? 'y' : 'x');
}

// Returns the length of rows, of those that the shape has, by which just these elements are loaded;
// 0 if there is none.
int otherLength(const Input& input, const std::vector<std::uint32_t>& loads) {
    const auto rows = static_cast<std::size_t>(input.matrix.rows());
    const auto cols = static_cast<std::size_t>(input.matrix.cols());
    for (const int length : {input.run.P.rows(), input.run.set.M.cols(), input.run.P.cols()}) {
        std::vector<bool> meant(input.matrix.size());
        for (std::size_t i = 0; i < meant.size(); ++i) {
            const std::size_t at = i / cols * static_cast<std::size_t>(length) + i % cols;
            if (at < meant.size()) meant[at] = true;
        }
        bool same = length != input.matrix.cols() && rows > 1;
        for (std::size_t i = 0; i < meant.size(); ++i) same &= (loads[i] > 0) == meant[i];
        if (same) return length;
    }
    return 0;
}

// Returns whether just the diagonal of each tile of a matrix is counted.
bool isDiagonal(const std::vector<std::uint32_t>& counts, const matrix::Matrix& of) {
    const auto T = static_cast<std::size_t>(tileWidth()),
               cols = static_cast<std::size_t>(of.cols());
    bool diagonal = T > 1 && counts.size() >= of.size();
    for (std::size_t i = 0; diagonal && i < of.size(); ++i)
        diagonal = (counts[i] > 0) == (i / cols % T == i % cols % T);
    return diagonal;
}

// Returns why just the diagonal of each tile is loaded. The other matrix tells tx and ty that are
// the same, and P's stores a Row or Col that is wrong.
std::string whyDiagonal(const Input& input) {
    const bool ofM = input.name == "M";
    const matrix::Matrix& other = ofM ? input.run.set.N : input.run.set.M;
    const auto* const loaded = launchOf(input.todo).filledFrom(other.data());
    if (loaded && isDiagonal(loaded->elementLoads, other)) {
        lab::blameNoStep();
        return "\nOnly the diagonal of each tile is loaded: are tx and ty the same? They "
               "must\nbe threadIdx.x and threadIdx.y.";
    }
    const auto* const stored = launchOf(input.todo).copiedInto(input.run.P.data());
    if (!stored || !isDiagonal(stored->elementStores, input.run.P))
        return lab::filled(
            "\nOnly the diagonal of each tile is loaded: the row and the column in the\n"
            "index of {} grow together. The column must use tx, the row ty.",
            input.name);
    lab::blameNoStep();
    return lab::filled(
        "\nOnly the diagonal of each tile of {} and of P is used: Row and Col grow\ntogether. "
        "{} is blockIdx.{} * TILE_WIDTH + threadIdx.{}.",
        input.name, ofM ? "Row" : "Col", ofM ? 'y' : 'x', ofM ? 'y' : 'x');
}

// Returns what the elements that are never loaded have in common; `first` is the first of them.
std::string whatIsMissing(const Input& input, const std::vector<std::uint32_t>& loads,
                          std::size_t first) {
    const int rows = input.matrix.rows(), cols = input.matrix.cols();
    const int row = static_cast<int>(first) / cols, col = static_cast<int>(first) % cols;
    if (isDiagonal(loads, input.matrix)) return whyDiagonal(input);
    if (const int length = otherLength(input, loads))
        return lab::filled(
            "\nThe loads fit rows of {} elements, but a row of {} has {}: is the row "
            "multiplied by\nthe right length?",
            length, input.name, cols);
    for (const bool ofRow : {true, false}) {
        const int line = ofRow ? row : col;
        if (!isEmpty(loads, rows, cols, ofRow, line)) continue;
        const std::string none = lab::filled("\nNo element of {} {} of {} is loaded",
                                             ofRow ? "row" : "column", line, input.name);
        const std::string skipped = ofRow == (input.name == "M") ? skippedIn(input, line) : "";
        return none + (skipped.empty()
                           ? lab::filled(": does an if exclude threads, or is the "
                                         "index wrong?\nIf a pointer walks: the next tile of {}",
                                         input.name)
                                     .words +
                                 (input.name == "M"
                                      ? " is TILE_WIDTH elements further."
                                      : " is TILE_WIDTH rows\nfurther, TILE_WIDTH * l elements.")
                           : skipped);
    }
    return "\nEach block whose tiles need an element loads it once.";
}

// Fails the test if just the elements after the last whole tile are loaded too often, and no
// phase fills a tile with them: they are loaded for each product.
void expectPhaseOfRest(const Input& input, const std::vector<std::uint32_t>& loads, Shape shape,
                       const std::string& found) {
    const int whole = shape.k / tileWidth(), begin = whole * tileWidth();
    if (whole == tilesIn(shape.k) ||
        phasesStored(launchOf(input.todo)) != static_cast<unsigned>(whole))
        return;
    const bool ofM = input.name == "M";
    for (std::size_t i = 0; i < input.matrix.size(); ++i) {
        const auto cols = static_cast<std::size_t>(input.matrix.cols());
        const bool ofRest = (ofM ? i % cols : i / cols) >= static_cast<std::size_t>(begin);
        if ((loads[i] > static_cast<std::uint32_t>(input.times)) != ofRest) return;
    }
    lab::beginWith(Todo(1));
    lab::fail("load-count", input.todo,
              "{}.\nThe tiles are filled in {}: from {} {} on, each product loads its "
              "own\nelement of {}. {} need {}: divide and round up in {}.{}",
              found, count(whole, "phase"), ofM ? "column" : "row", begin, input.name,
              count(shape.k, ofM ? "column" : "row"), count(tilesIn(shape.k), "phase"), Todo(1),
              seenWith(shape));
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
            lab::filled("{} is loaded {} instead of {}", lab::elementAt(i, input.name, cols),
                        count(loads, "time"), count(times, "time"));
        if (loads < times) {
            expectGridFor(shape, input, found);
            lab::fail("load-count", input.todo, "{}.{}{}", found,
                      loads == 0 ? whatIsMissing(input, array->elementLoads, i)
                                 : "\nEach block whose tiles need an element loads it once.",
                      seenWith(shape));
        }
        if (loads > times && tooOften.empty()) tooOften = found;
    }
    const std::uint64_t wholeRows = product(input.times, tilesIn(rows) * tileWidth(), cols);
    const std::uint64_t wholeCols = product(input.times, rows, tilesIn(cols) * tileWidth());
    const std::uint64_t whole =
        product(input.times, tilesIn(rows) * tileWidth(), tilesIn(cols) * tileWidth());
    if (tooOften.empty() || all == wholeRows || all == wholeCols || all == whole) {
        lab::expectNoOtherReads(input.todo, input.run.set, input.run.P);
        lab::holdToTiles(input.run.set, tileWidth());
        return;
    }
    expectGridFor(shape, input, tooOften);
    expectPhaseOfRest(input, array->elementLoads, shape, tooOften);
    lab::fail(
        "load-count", input.todo,
        "{} of {} instead of {}.\n{}.\nTest the row and the column, each with its own limit: after "
        "the end of a\nrow, the next row begins.{}",
        count(all, "load"), input.name, count(product(input.times, rows, cols), "load"), tooOften,
        seenWith(shape));
}

// Returns shapes with different j, k and l, each slightly above or below whole tiles.
std::vector<Shape> raggedShapes() {
    const int T = tileWidth();
    return {{2 * T + 1, T + 1, 3 * T + 1}, {T + 1, 3 * T + 1, 2 * T + 1}, {3, 5 * T - 1, T + 1}};
}

}  // namespace

TEST_CASE("TODO(2): there are exactly j x k x ceil(l / TILE_WIDTH) loads of M") {
    const lab::CountElements counting;
    const lab::Forgiving forgiving(kAccesses, {2});
    for (const Shape shape : raggedShapes()) {
        const WithRightGrid withRightGrid(shape);
        const lab::ProductRun run = runForCounts(shape);
        expectLoadsOf({"M", Todo(2), run.set.M, tilesIn(shape.l), run}, shape);
    }
}

TEST_CASE("TODO(3): there are exactly k x l x ceil(j / TILE_WIDTH) loads of N") {
    const lab::CountElements counting;
    const lab::Forgiving forgiving(kAccesses, {3});
    for (const Shape shape : raggedShapes()) {
        const WithRightGrid withRightGrid(shape);
        const lab::ProductRun run = runForCounts(shape);
        expectLoadsOf({"N", Todo(3), run.set.N, tilesIn(shape.j), run}, shape);
    }
}
