// Tests the barriers. Two hazards need two barriers: products wait until their elements are loaded,
// and a tile is overwritten only after all threads have read it.
#include "lab2_tiled/tiled_launch_sim.h"
#include "testing/lab_sim.h"
#include "testing/reads_of_tiles_sim.h"

namespace {

constexpr int kPhases = 3;
constexpr std::uint64_t kMostBarriers = std::uint64_t{2} * kPhases;

// The largest number of barriers of a thread in calls of so many phases that were checked for
// races.
std::uint64_t barriersOfRaces = 0;

// What a run shows about the tiles: its races on them, and whether the products may read M or N
// from them, because it is loaded no more often than the tiles need.
struct OfTiles {
    std::vector<cusim::Finding> races;
    bool used;
};

// Runs the kernel in this many phases. Fails the test if the products do not come from the tiles:
// they need no barrier then.
OfTiles runOf(int phases, const Todo& todo) {
    const lab::CountElements counting;
    const lab::ProductRun run =
        runTiled(todo, lab::integers(lab::square(phases * tileWidth())), kNotAboutCounts);
    lab::expectNoOtherReads(todo, run.set, run.P);
    const bool used = lab::holdToTiles(run.set, tileWidth());
    if (phases == kPhases && !cusim::launches().empty())
        barriersOfRaces = std::max(barriersOfRaces, cusim::launches().front().barriersPerThread);
    std::vector<cusim::Finding> races = lab::findingsOf("race");
    races.erase(std::remove_if(races.begin(), races.end(),
                               [](const cusim::Finding& race) {
                                   return race.title.find("(shared)") == std::string::npos;
                               }),
                races.end());
    return {races, used};
}

// Tests whether the line that stores comes after the line that reads, after all phases.
bool isStoredAfterUse(const std::vector<cusim::Finding>& races) {
    const auto after = [](const cusim::Finding& race) {
        return !race.others.empty() && race.line > race.others.front().line;
    };
    return !races.empty() && std::all_of(races.begin(), races.end(), after);
}

// Fails the test if several threads store one element of a tile.
void expectOwnElements() {
    const auto stores = lab::storesOfOneElement();
    if (stores.empty()) return;
    lab::failFor(stores,
                 "tiledMatrixMul: several threads of a block store the same element. That is not "
                 "a\nmissing barrier: see which element each thread stores.\n");
}

// Tests whether a thread uses an element of a tile that another thread has loaded: without barriers
// that would be a race.
bool areTilesShared(const Todo& todo) {
    const lab::ChosenOptions chosen;
    cusim::options().barriersOrder = false;
    return tileWidth() == 1 || !runOf(kPhases, todo).races.empty();
}

// Fails the test if the kernel needs no barriers, so that it has no races without them.
void expectTilesShared(const Todo& todo, bool used) {
    const cusim::AccessCount& shared = launchOf(todo).shared();
    if (shared.loads + shared.atomics > 0) {
        if (!used && gridIsRight)
            lab::fail("load-count", todo,
                      "M and N are both loaded more often than the tiles need. So the products\n"
                      "do not use the tiles, and need no barrier. See {} and {}.",
                      Todo(2), Todo(3));
        if (areTilesShared(todo)) return;
        lab::beginWith(Todo(5));
        lab::fail("tiles-not-shared", todo,
                  "each thread reads only elements that it loaded itself, which needs no\n"
                  "barrier. {}: a thread must read a row of the tile of M and a column of\n"
                  "the tile of N, which other threads have loaded.",
                  Todo(5));
    }
    lab::beginWith(Todo(5));
    lab::fail("tiles-not-read", todo,
              "no thread reads a tile yet, so no barrier is needed. Do the products,\n{}, first.",
              Todo(5));
}

}  // namespace

TEST_CASE("TODO(4): a product is computed only after its elements are loaded") {
    const lab::Forgiving forgiving(kAccesses);
    // A single phase overwrites nothing, so its races can only be of this kind.
    const bool racy = !runOf(1, Todo(4)).races.empty();
    expectOwnElements();
    const auto [races, used] = runOf(kPhases, Todo(4));
    if (racy)
        lab::failFor(races,
                     lab::filled(isStoredAfterUse(races)
                                     ? "{}: a tile is stored again while other threads still "
                                       "read it.\n"
                                     : "{}: threads use elements that others have not loaded "
                                       "yet.\n",
                                 Todo(4)));
    expectTilesShared(Todo(4), used);
}

TEST_CASE("TODO(6): a tile is overwritten only after all threads have read it") {
    const lab::Forgiving forgiving(kAccesses);
    if (!runOf(1, Todo(6)).races.empty()) {
        lab::beginWith(Todo(4));
        lab::fail("race", Todo(6), "the test can judge this when the race of {} is gone.", Todo(4));
    }
    // Several numbers of phases, because a barrier may depend on Width.
    for (const int phases : {kPhases, kPhases + 2}) {
        const auto [races, used] = runOf(phases, Todo(6));
        if (!races.empty())
            lab::failFor(races,
                         lab::filled("{}: a fast thread loads the next tile while a slow one still "
                                     "reads this one.\nThe product may still be right, by "
                                     "luck.\n",
                                     Todo(6)));
        expectTilesShared(Todo(6), used);
    }
}

TEST_CASE("each phase has at most two barriers") {
    runTiled("tiledMatrixMul", lab::integers(lab::square(kPhases * tileWidth())), kNotAboutCounts);
    const std::uint64_t barriers =
        std::max(barriersOfRaces, launchOf("tiledMatrixMul").barriersPerThread);
    if (barriers > kMostBarriers)
        lab::fail(
            "too-many-barriers",
            "tiledMatrixMul: a thread executes {} in {} phases, but {} are enough:\none after the "
            "loads and one after the loop over k, none inside that loop.",
            lab::count(barriers, "barrier"), kPhases, kMostBarriers);
}
