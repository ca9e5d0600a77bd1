// Tests tiles and their loads, by the simulated device's counts.
#include <algorithm>
#include <optional>

#include "lab2_tiled/tiled_launch_sim.h"
#include "testing/device.h"
#include "testing/reads_of_tiles_sim.h"

using lab::count;

namespace {

// Returns which element is never loaded, if a whole row of a block's threads, or a column, loads
// all others: then threads differ in one index only. Else returns an empty text.
std::string neverLoaded(const std::vector<std::uint32_t>& loads, std::uint32_t times,
                        const matrix::Matrix& input, const std::string& name) {
    const auto rowOfThreads = times * static_cast<std::uint32_t>(tileWidth());
    std::optional<std::size_t> never;
    for (std::size_t i = 0; i < input.size(); ++i) {
        if (loads[i] != 0 && loads[i] != rowOfThreads) return "";
        if (loads[i] == 0 && !never) never = i;
    }
    return never ? lab::elementAt(*never, name, input.cols()) : "";
}

// Returns how many phases load, if the first tiles in each row of M's, or column of N's, are loaded
// as often as they should and the others never, and the number of barriers fits; else 0.
int phasesThatLoad(const std::vector<std::uint32_t>& loads, std::uint32_t times, int Width,
                   bool ofM) {
    int lines = 0;  // columns of M, or rows of N
    const auto at = [&](int line, int i) {
        return loads[lab::product(ofM ? i : line, Width) +
                     static_cast<std::size_t>(ofM ? line : i)];
    };
    while (lines < Width && at(lines, 0) != 0) ++lines;
    for (int line = 0; line < Width; ++line)
        for (int i = 0; i < Width; ++i)
            if (at(line, i) != (line < lines ? times : 0)) return 0;
    const int phases = lines / tileWidth();
    const std::uint64_t barriers = launchOf("tiledMatrixMul").barriersPerThread;
    return lines % tileWidth() == 0 && barriers > 0 && barriers <= 2 * lab::product(phases, 1)
               ? phases
               : 0;
}

// Returns the name of a shared array that is stored and never read; empty if there is none.
std::string unreadTile(const cusim::LaunchReport& launch) {
    for (const cusim::ArrayReport& one : launch.arrays)
        if (one.space == cusim::Space::Shared && one.count.stores > 0 &&
            one.count.loads + one.count.atomics == 0)
            return one.name;
    return "";
}

// Fails the test unless each element of the input was loaded once by each block that needs it: one
// row of blocks for M, one column of blocks for N.
void expectLoadsOf(const lab::ProductRun& run, const std::string& name, const Todo& todo,
                   const std::string& hint) {
    const matrix::Matrix& input = name == "M" ? run.set.M : run.set.N;
    const int Width = input.rows();
    const auto times = static_cast<std::uint32_t>(Width / tileWidth());
    const auto* array = launchOf(todo).filledFrom(input.data());
    if (!array) lab::expectCopiedIn("tiledMatrixMul", name, input);
    const auto& launch = launchOf(todo);
    const bool idle = launch.global().loads + launch.barriersPerThread == 0;
    if (!array)
        lab::fail("load-count", todo, "the kernel never loads an element of {}. {}{}", name, hint,
                  idle ? "\nIf the load is written, does the loop over ph run? It needs Width / "
                         "TILE_WIDTH\nphases."
                       : "");
    const auto& loads = array->elementLoads;
    const auto i = lab::firstOther(loads, times, input.size());
    if (!i) {
        lab::expectNoOtherReads(todo, run.set, run.P);
        lab::holdToTiles(run.set, tileWidth());
        return;
    }
    if (const int phases = phasesThatLoad(loads, times, Width, name == "M"))
        lab::failOfNoStep(
            "load-count",
            "{}: {} is loaded in {} of {} only. Width is {}\nand TILE_WIDTH is {}: see "
            "the loop over ph.",
            todo, name, phases, count(times, "phase"), Width, tileWidth());
    const std::string never = neverLoaded(loads, times, input, name);
    const auto most = std::max_element(loads.begin(), loads.end());
    if (!never.empty() && *most > 0 && tileWidth() > Width / tileWidth())
        lab::fail(
            "load-count", todo,
            "{} is loaded {}, and {} never. Right is {}\nfor each. {} threads of a block load the "
            "same element: does its index\nuse both threadIdx.x and "
            "threadIdx.y?",
            lab::elementAt(static_cast<std::size_t>(most - loads.begin()), name, Width),
            count(*most, "time"), never, count(times, "time"), tileWidth());
    // The products alone load an element so often; before they are written, an index is wrong.
    const bool byProducts = loads[*i] >= times * static_cast<unsigned>(tileWidth());
    if (const std::string tile = unreadTile(launchOf(todo)); !tile.empty() && byProducts) {
        lab::beginWith(Todo(5));
        lab::fail("load-count", todo,
                  "{} is loaded {}; {} would do.\nThe kernel stores {} and never reads it: in {} "
                  "the products must take\nthe elements from there, not from {}.",
                  lab::elementAt(*i, name, Width), count(loads[*i], "time"), count(times, "time"),
                  tile, Todo(5), name);
    }
    lab::fail("load-count", todo,
              "{} is loaded {} instead of {}:\nWidth is {} and TILE_WIDTH is {}. {}",
              lab::elementAt(*i, name, Width), count(array->elementLoads[*i], "time"),
              count(times, "time"), Width, tileWidth(), hint);
}

}  // namespace

TEST_CASE("P is covered by (Width / TILE_WIDTH)^2 blocks") {
    const int tiles = 3, Width = tiles * tileWidth();
    const matrix::DataSet set = lab::integers(lab::square(Width));
    matrix::Matrix P = matrix::poisoned(Width, Width);
    // Tests below judge the findings of a launch of another size.
    device::reset();
    device::runQuietly(lab::gives(P),
                       [&] { tiledMatrixMul(set.M.data(), set.N.data(), P.data(), Width); });
    const auto& launch = launchOf("tiledMatrixMul");
    const std::uint64_t blocks = lab::blocksOf(launch);
    if (blocks != lab::product(tiles, tiles))
        lab::fail(
            "grid-size",
            "tiledMatrixMul: {} ({} x {}) for Width {}, but the tests\nexpect {}, one for "
            "each tile of P. {}{}",
            count(blocks, "block"), launch.grid.x, launch.grid.y, Width,
            count(lab::product(tiles, tiles), "block"),
            launch.block.x * launch.block.y == lab::product(tileWidth(), tileWidth())
                ? lab::Text("Let each block compute one tile.")
                : lab::filled("Is TILE_WIDTH {} in the kernel and in the\nlaunch? For another "
                              "width use make test TILE_WIDTH=n. Do not change the file.",
                              tileWidth()),
            lab::ifExchanged(launch, Width, Width));
    gridIsRight = true;
    lab::expectOneLaunch("tiledMatrixMul", "all of P");
    lab::expectCallsChecked("tiledMatrixMul", lab::gives(P),
                            [&] { tiledMatrixMul(set.M.data(), set.N.data(), P.data(), Width); });
}

TEST_CASE("TODO(1): the two tiles take 2 x TILE_WIDTH^2 x 4 bytes of shared memory") {
    const lab::Forgiving forgiving(kAccesses);
    constexpr std::uint64_t kPhases = 3;
    runTiled(Todo(1), lab::integers(lab::square(3 * tileWidth())), kNotAboutCounts);
    // With two pairs of tiles in turn, one barrier per phase and one before the loop are enough.
    const bool inTurn = launchOf(Todo(1)).barriersPerThread > 0 &&
                        launchOf(Todo(1)).barriersPerThread <= kPhases + 1;
    const std::uint64_t all = sharedBytes(launchOf(Todo(1)));
    const std::uint64_t bytes = inTurn && all >= 2 * bytesOfTiles(tileWidth()) ? all / 2 : all;
    const std::uint64_t least = bytesOfTiles(tileWidth()), padded = bytesOfTiles(tileWidth() + 1);
    // Two columns keep a transposed tile of 16 x 16 free of conflicts, four keep float4 aligned.
    const std::uint64_t most = std::max(padded, least + least / 4);
    if (bytes == 0)
        lab::fail("shared-memory", Todo(1),
                  "the kernel uses no shared memory yet. Declare each tile in the kernel, "
                  "with\n__shared__. Without it each thread has its own array, and no other thread "
                  "can\nread it. With __device__ all blocks share one array.");
    if (bytes < least || bytes > most)
        lab::fail(
            "shared-memory", Todo(1),
            "a block takes {} of shared memory. Two tiles take {},\nor {} with a column of "
            "padding. Declare one tile of M and one of N{}",
            count(bytes, "byte"), count(least, "byte"), count(padded, "byte"),
            (2 * bytes == least ? ",\neach with __shared__: without it an array is each "
                                  "thread's own."
             : 2 * bytes == 3 * least
                 ? ", both of float. Is one of them a double, which\nhas 8 bytes, or has one of "
                   "them two buffers? With one barrier per phase both need two."
                 : "."));
}

TEST_CASE("TODO(2): each element of M is loaded Width / TILE_WIDTH times") {
    const lab::CountElements counting;
    const lab::Forgiving forgiving(kAccesses, {2});
    const lab::ProductRun run =
        runTiled(Todo(2), lab::integers(lab::square(3 * tileWidth())), kNotAboutCounts);
    expectLoadsOf(run, "M", Todo(2),
                  "In phase ph,\nthread (tx, ty) loads one element of row Row. The tile begins "
                  "at column\nph * TILE_WIDTH, and the element is tx columns further.");
}

TEST_CASE("TODO(3): each element of N is loaded Width / TILE_WIDTH times") {
    const lab::CountElements counting;
    const lab::Forgiving forgiving(kAccesses, {3});
    const lab::ProductRun run =
        runTiled(Todo(3), lab::integers(lab::square(3 * tileWidth())), kNotAboutCounts);
    expectLoadsOf(run, "N", Todo(3),
                  "In phase ph,\nthread (tx, ty) loads one element of column Col. The tile begins "
                  "at row\nph * TILE_WIDTH, and the element is ty rows further.");
}

TEST_CASE("the loads fall to 1/TILE_WIDTH: 2,097,152 at Width 256 with TILE_WIDTH 16") {
    const device::WithoutWarps withoutWarps;
    const lab::CountElements counting;
    const lab::Forgiving forgiving(kAccesses, {2, 3});
    // The largest multiple of the tile's width up to 256, which is 256 for all usual ones.
    const int Width = 256 / tileWidth() * tileWidth();
    const lab::ProductRun run =
        runTiled("tiledMatrixMul", lab::integers(lab::square(Width)), kNotAboutCounts);
    const std::uint64_t loads = lab::floatsRead(launchOf("tiledMatrixMul").global());
    const std::uint64_t naive = 2 * lab::product(Width, Width) * static_cast<std::uint64_t>(Width);
    const std::uint64_t wanted = naive / static_cast<std::uint64_t>(tileWidth());
    if (loads != wanted)
        lab::fail("load-count",
                  "tiledMatrixMul: {} at Width {} and TILE_WIDTH {}, but\n2 x Width^3 / "
                  "TILE_WIDTH = {} are enough. In a phase each thread\nloads one element of M and "
                  "one of N. All other elements come from the tiles.",
                  count(loads, "global load"), Width, tileWidth(), count(wanted, "load"));
    lab::holdToTiles(run.set, tileWidth());
}
