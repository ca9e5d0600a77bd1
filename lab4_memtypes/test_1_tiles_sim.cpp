// Tests the shared array, whose size the launch gives, and the tiles in it.
#include "lab4_memtypes/tile_launch_sim.h"
#include "lab4_memtypes/tile_words_sim.h"
#include "testing/device.h"
#include "testing/reads_of_tiles_sim.h"

using lab::count;

namespace {

// Fails the test unless both tiles are stored whole.
void expectWholeTiles(int Width) {
    const TileWords words(launchOf(Todo(3)), kTile);
    const std::size_t missing = words.missing();
    if (missing == 0) return;
    if (words.overlap()) lab::beginWith(Todo(2));
    lab::fail("tile-not-filled", Todo(3),
              "two tiles have {}, but {}{} never stored: Width\nis {}, tileWidth is {}. For each "
              "of its {} rows r, a thread must store column tx\nof row r in both tiles: an "
              "element, or 0.0f if the element is outside.",
              count(2 * words.ofTile(), "float"), count(missing, "float"),
              (missing == 1 ? " is" : " are"), Width, kTile, kRows);
}

// Returns what loads an element once; if the launch does not fit the kernel, returns that.
std::string loadsOnce(const cusim::LaunchReport& launch, int Width) {
    const unsigned tiles = (static_cast<unsigned>(Width) - 1) / kTile + 1, rows = kTile / kRows;
    const dim3 &grid = launch.grid, &block = launch.block;
    if (grid.x == tiles && grid.y == tiles && block.x == kTile && block.y == rows)
        return "Each block that needs an element must load it once.";
    return lab::filled(
               "See the launch in line {}:\nit has {} x {} blocks of {} x {} threads instead of {} "
               "x {} blocks of {} x {}.{}",
               launch.at.line, grid.x, grid.y, block.x, block.y, tiles, tiles, kTile, rows,
               grid.x == kTile && grid.y == rows ? " The\ngrid comes first, then the block." : "")
        .words;
}

// Returns numbers as in "0, 3 to 5 and more"; empty if there are none.
std::string rangesOf(const std::vector<std::size_t>& numbers) {
    std::string text;
    int ranges = 0;
    for (std::size_t i = 0, end = 0; i < numbers.size(); i = end) {
        for (end = i + 1; end < numbers.size() && numbers[end] == numbers[end - 1] + 1;) ++end;
        if (++ranges > 3) return text + " and more";
        text += (text.empty() ? "" : ", ") + std::to_string(numbers[i]);
        if (end > i + 1) text += " to " + std::to_string(numbers[end - 1]);
    }
    return text;
}

// Returns the rows, or columns, of a matrix whose elements were all never accessed.
std::string never(const std::vector<std::uint32_t>& times, int Width, bool rows) {
    const auto all = static_cast<std::size_t>(Width);
    std::vector<std::size_t> lines;
    for (std::size_t line = 0; line < all; ++line) {
        bool any = false;
        for (std::size_t i = 0; i < all && times.size() >= all * all; ++i)
            any |= times[rows ? line * all + i : i * all + line] > 0;
        if (!any) lines.push_back(line);
    }
    if (lines.empty() || lines.size() == all) return "";
    return (rows ? "row" : "column") + std::string(lines.size() == 1 ? " " : "s ") +
           rangesOf(lines);
}

// Returns which whole rows, or else columns, of a matrix were never accessed, and where to look.
std::string missingLines(const std::vector<std::uint32_t>& times, const std::string& what,
                         int Width) {
    for (const bool rows : {true, false})
        if (const std::string lines = never(times, Width, rows); !lines.empty())
            return lab::filled(
                       "The {} leave out {}. See how the\n{} is computed, the loops around that "
                       "line, and its guard.",
                       what, lines, rows ? "row" : "column")
                .words;
    return "";
}

// Returns whether the columns of M that no thread loads are the rows of N that none does, so that
// a phase is missing.
bool phaseMissing(const matrix::DataSet& set) {
    const auto& launch = launchOf(Todo(3));
    const auto *M = launch.filledFrom(set.M.data()), *N = launch.filledFrom(set.N.data());
    if (!M || !N) return false;
    const std::string columns = never(M->elementLoads, set.spec.j, false),
                      rows = never(N->elementLoads, set.spec.j, true);
    return !columns.empty() && !rows.empty() &&
           columns.substr(columns.find(' ')) == rows.substr(rows.find(' '));
}

// Fails the test, before a run that ends outside of an array, if the block does not fit the kernel.
void expectBlock(int Width) {
    const matrix::DataSet set = lab::integers(lab::square(Width));
    matrix::Matrix P = matrix::poisoned(Width, Width);
    device::reset();
    device::runQuietly(lab::gives(P), [&] {
        matrixMulWithTile(set.M.data(), set.N.data(), P.data(), Width, kTile);
    });
    if (cusim::launches().empty()) return;
    const auto& launch = cusim::launches().front();
    const unsigned tiles = (static_cast<unsigned>(Width) - 1) / kTile + 1;
    if (launch.grid.x == tiles && launch.grid.y == tiles &&
        (launch.block.x != kTile || launch.block.y != kTile / kRows))
        lab::failOfNoStep("block-size", "matrixMulWithTile: Width is {}, tileWidth is {}. {}",
                          Width, kTile, loadsOnce(launch, Width));
}

// Tests whether the rows that threads with threadIdx.y = 0 load are right, and no others loaded.
bool leftToFirst(const std::vector<std::uint32_t>& loads, int Width, std::uint32_t times) {
    for (std::size_t i = 0; i < loads.size(); ++i) {
        const int row = static_cast<int>(i) / Width;
        if (loads[i] != (row % kTile < kRows ? times : 0)) return false;
    }
    return true;
}

// Returns where the second block along y begins in M, or along x in N, if that alone explains how
// often the rows, or columns, are loaded.
std::string secondBlock(const std::vector<std::uint32_t>& loads, bool ofM, int Width) {
    const auto size = static_cast<std::size_t>(Width);
    const auto at = [&](std::size_t line) { return loads[ofM ? line * size : line]; };
    for (std::size_t step = 0; step < size; ++step) {
        std::vector<std::uint32_t> blocks(size);  // that load each line
        for (std::size_t first = 0, b = 0; b * kTile < size; ++b, first += step)
            for (std::size_t i = first; i < std::min(first + kTile, size); ++i) ++blocks[i];
        bool same = step != kTile && at(0) > 0;
        for (std::size_t i = 0; i < size; ++i) same &= at(i) * blocks[0] == at(0) * blocks[i];
        if (!same) continue;
        const char* const line = ofM ? "row" : "column";
        return lab::filled(
                   "Block {} begins at\n{} {} of {} instead of {} {}{}.\nSee the lines "
                   "that compute the {} and tileWidth.",
                   ofM ? "(0,1)" : "(1,0)", line, step, ofM ? "M" : "N", line, kTile,
                   step == launchOf(Todo(3)).block.y
                       ? ": the tile is blockDim.x wide, not blockDim.y"
                       : "",
                   line)
            .words;
    }
    return "";
}

// Tests whether only elements are loaded whose row in the tile is their column in it.
bool onDiagonals(const std::vector<std::uint32_t>& loads, std::size_t Width) {
    for (std::size_t i = 0; i < loads.size(); ++i)
        if (loads[i] > 0 && i / Width % kTile != i % Width % kTile) return false;
    return true;
}

// Fails the test unless each element of the input was loaded once by each block that needs it.
void expectLoadsOf(const matrix::DataSet& set, const std::string& name) {
    const matrix::Matrix& input = name == "M" ? set.M : set.N;
    const int Width = input.rows();
    const auto times = static_cast<std::uint32_t>((Width - 1) / kTile + 1);
    const auto* array = launchOf(Todo(3)).filledFrom(input.data());
    if (!array) lab::expectCopiedIn("matrixMulWithTile", name, input);
    if (!array) lab::fail("load-count", Todo(3), "the kernel never loads an element of {}.", name);
    const auto& loads = array->elementLoads;
    const auto i = lab::firstOther(loads, times);
    if (!i) return;
    std::string why = loadsOnce(launchOf(Todo(3)), Width);
    if (why.find("See the launch") == std::string::npos) {
        std::string lines = secondBlock(loads, name == "M", Width);
        if (lines.empty()) lines = missingLines(loads, "loads of " + name, Width);
        if (phaseMissing(set))
            why =
                "The same columns of M and rows of N\nare never loaded: see the start, the "
                "condition and the step of the loop over ph.";
        else if (leftToFirst(loads, Width, times))
            why = lab::filled(
                "Rows 0 to {} of each tile\nare loaded. The others belong to threads with "
                "threadIdx.y > 0: does an if keep\nthese threads from the load?",
                kRows - 1);
        else if (onDiagonals(loads, static_cast<std::size_t>(Width)))
            why = lab::filled(
                "Only elements on\nthe diagonals of the tiles are loaded, so row and column of {} "
                "follow the same\nindex: the row must follow r, and the column tx.",
                name);
        else if (!lines.empty())
            why = lines;
        else if (const auto none = std::find(loads.begin(), loads.end(), 0U),
                 most = std::max_element(loads.begin(), loads.end());
                 none != loads.end() && *most > times) {
            const auto other = loads[*i] > times ? none : most;
            why = lab::filled(
                      "{} is\nloaded {}. Each thread must load its own elements: see the indices.",
                      lab::elementAt(static_cast<std::size_t>(other - loads.begin()), name, Width),
                      count(*other, "time"))
                      .words;
        }
    }
    lab::fail("load-count", Todo(3),
              "{} is loaded {} instead of {}: Width is\n{}, tileWidth is {}. {}",
              lab::elementAt(*i, name, Width), count(loads[*i], "time"), count(times, "time"),
              Width, kTile, why);
}

// Tests whether just the rows of P with the first sum of each thread are stored.
bool firstRowsAlone(const std::vector<std::uint32_t>& times, const matrix::Matrix& P) {
    for (std::size_t i = 0; i < P.size(); ++i) {
        const bool isFirst = static_cast<int>(i) / P.cols() % kTile % kRows == 0;
        if (isFirst != (times[i] > 0)) return false;
    }
    return true;
}

// Fails the test if elements of P are stored more than once and others never: no loop does that.
void expectNoneTwice(const matrix::Matrix& P, std::uint64_t stores) {
    const auto* array = launchOf(Todo(5)).copiedInto(P.data());
    if (!array || array->elementStores.size() < P.size()) return;
    const auto& times = array->elementStores;
    const auto end = times.begin() + static_cast<std::ptrdiff_t>(P.size());
    const auto never = std::find(times.begin(), end, 0U),
               most = std::max_element(times.begin(), end);
    if (never == end || *most < 2) return;
    const auto nameOf = [&](auto at) {
        return lab::elementAt(static_cast<std::size_t>(at - times.begin()), "P", P.cols());
    };
    lab::fail("store-count", Todo(5),
              "{} is never stored, but {} is stored {}: there are\n{} for the {} of P. {}",
              nameOf(never), nameOf(most), count(*most, "time"), count(stores, "store"),
              count(P.size(), "element"),
              firstRowsAlone(times, P)
                  ? lab::filled("Only every {}th row is stored, the first of each thread. The "
                                "sums\nof a thread lie below one another: i belongs to Row.",
                                kRows)
                  : "Each thread must store its own\nelements: see Row and Col.");
}

// Returns ": Pvalue, Mds" for two such arrays.
std::string arraysOfFixedSize(const cusim::LaunchReport& launch) {
    std::string names;
    for (const auto& array : launch.arrays)
        if (array.space == cusim::Space::Shared && array.bytes != launch.dynamicSharedBytes)
            names += (names.empty() ? ": " : ", ") + array.name;
    return names;
}

}  // namespace

// First, because the tests below can judge nothing before it passes.
TEST_CASE("TODO(1): the launch requests the bytes of two tiles, for every tile width") {
    const device::WithoutWarps withoutWarps;
    const lab::Forgiving forgiving(kAccesses);
    for (const int tileWidth : {16, 32, 48, 64}) {
        if (!fits(tileWidth, deviceAtHand())) continue;
        INFO("tileWidth " << tileWidth);
        runWithTile(Todo(1), lab::integers(lab::square(20)), tileWidth, kNotAboutCounts);
        const auto& launch = launchOf(Todo(1));
        const std::size_t given = launch.dynamicSharedBytes;
        const std::size_t wanted = bytesOfTiles(tileWidth);
        // Allows a row of padding for each tile row.
        const std::size_t most = wanted + 2 * static_cast<std::size_t>(tileWidth) * sizeof(float);
        if (given < wanted || given > most)
            lab::fail("shared-bytes", Todo(1),
                      "with a tile width of {} the third launch parameter is {},\nbut two tiles of "
                      "floats need {}.",
                      tileWidth, count(given, "byte"), count(wanted, "byte"));
        lab::expectOneLaunch(Todo(1), "all of P");
    }
    const matrix::DataSet set = lab::integers(lab::square(20));
    matrix::Matrix P = matrix::poisoned(20, 20);
    lab::expectCallsChecked(
        "matrixMulWithTile", lab::gives(P),
        [&] { matrixMulWithTile(set.M.data(), set.N.data(), P.data(), 20, kRows); },
        {"cudaMalloc", "cudaMemcpy", "launch", "cudaFree"});
}

TEST_CASE("TODO(2): both tiles are in the array whose size the launch sets") {
    const lab::CountSharedElements counting;
    const WithSharedMemory shared(kTile);
    const lab::Forgiving forgiving(kAccesses, {2});
    const lab::ProductRun run =
        runWithTile(Todo(2), lab::integers(lab::square(kTile)), kTile, kNotAboutCounts);
    const auto& launch = launchOf(Todo(2));
    if (launch.staticSharedBytes > 0)
        lab::fail("static-array", Todo(2),
                  "the kernel has {} of shared memory of a fixed size{}.\nOnly the two tiles "
                  "belong there, in one array without a size:\nextern __shared__ float MdsNds[].",
                  count(launch.staticSharedBytes, "byte"), arraysOfFixedSize(launch));
    if (launch.shared().stores == 0 && launch.barriersPerThread == 0)
        lab::fail("not-shared", Todo(2),
                  "at Width {} and tileWidth {} the kernel reaches no barrier and\nstores nothing "
                  "in shared memory. Its loop over the phases must run at least\nonce, from phase "
                  "0, and must contain the loads, {}.",
                  kTile, kTile, Todo(3));
    if (launch.shared().stores == 0)
        lab::fail("not-shared", Todo(2),
                  "the kernel stores nothing in shared memory yet. Declare the array, and let\nMds "
                  "and Nds point into it. The loads, {}, fill it.",
                  Todo(3));
    const TileWords words(launch, kTile);
    const bool overlap = words.overlap() && !lab::isRight(run);
    if (overlap) expectBlock(kTile);
    if (overlap)
        lab::fail(
            "tiles-overlap", Todo(2),
            "both tiles {}: the array has {},\nbut {} are never used. Nds must point to the first "
            "float after the tile\nof M, which has tileWidth x tileWidth floats. Store M only in "
            "Mds, N only in Nds.\n(All extern __shared__ arrays begin at the same address.)",
            (words.stored() == words.ofTile() ? "begin at the same address" : "overlap"),
            count(2 * words.ofTile(), "float"),
            count(2 * words.ofTile() - words.stored(), "float"));
}

TEST_CASE("TODO(3): each element of M and N is loaded ceil(Width / tileWidth) times") {
    const device::WithoutWarps withoutWarps;
    const lab::CountElements counting;
    const lab::CountSharedElements countingShared;
    const WithSharedMemory shared(kTile);
    const lab::Forgiving forgiving(kAccesses, {2, 3});
    for (const int Width : {2 * kTile, 2 * kTile + 5, kTile - 3}) {
        expectBlock(Width);
        const lab::ProductRun run =
            runWithTile(Todo(3), lab::integers(lab::square(Width)), kTile, kNotAboutCounts);
        expectLoadsOf(run.set, "M");
        expectLoadsOf(run.set, "N");
        lab::expectNoOtherReads(Todo(3), run.set, run.P);
        expectWholeTiles(Width);
        // Other tests take other tiles. These are the smallest ones.
        lab::holdToTiles(run.set, kRows);
    }
}

TEST_CASE("TODO(5): the kernel stores each of the Width x Width elements once") {
    const device::WithoutWarps withoutWarps;
    const lab::CountElements counting;
    const WithSharedMemory shared(kTile);
    const lab::Forgiving forgiving(kAccesses, {5});
    for (const int Width : {2 * kTile, kTile + 5}) {
        const lab::ProductRun run =
            runWithTile(Todo(5), lab::integers(lab::square(Width)), kTile, kNotAboutCounts);
        const std::uint64_t stores = launchOf(Todo(5)).global().storedBytes / sizeof(float);
        if (stores == 0) lab::fail("never-written", Todo(5), "nothing is stored in P yet.");
        if (stores != lab::product(Width, Width)) expectNoneTwice(run.P, stores);
        if (stores == lab::product(Width, Width)) continue;
        const auto* array = launchOf(Todo(5)).copiedInto(run.P.data());
        const std::string lines =
            array ? missingLines(array->elementStores, "stores into P", Width) : "";
        lab::fail("store-count", Todo(5), "{} for the {} of P.{}", count(stores, "store"),
                  count(lab::product(Width, Width), "element"),
                  lines.empty()
                      ? "\nEach thread must store its sums once, after the loop over the phases."
                      : "\n" + lines);
    }
}

TEST_CASE("each phase has at most two barriers") {
    const device::WithoutWarps withoutWarps;
    runWithTile("dynamicMatrixMul", lab::integers(lab::square(3 * kTile)), kTile, kNotAboutCounts);
    const auto& launch = launchOf("dynamicMatrixMul");
    const std::uint64_t barriers = launch.barriersPerThread;
    const std::uint64_t phases =
        launch.shared().stores / (lab::product(2 * kTile, kTile) * launch.grid.x * launch.grid.y);
    if (barriers > 6 && phases > 3)
        lab::fail("phase-count",
                  "dynamicMatrixMul: the tiles are filled {} times, but 3 phases are enough "
                  "for\nWidth = 3 x tileWidth. See the condition of the loop over the phases.",
                  phases);
    if (barriers > 6)
        lab::fail("too-many-barriers",
                  "dynamicMatrixMul: a thread executes {} in 3 phases, but 6 are enough:\none "
                  "after the loads and one after the products, none inside their loops.",
                  count(barriers, "barrier"));
}
