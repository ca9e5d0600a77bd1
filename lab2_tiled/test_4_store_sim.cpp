// Tests the stores to global memory.
#include "lab2_tiled/tiled_launch_sim.h"

TEST_CASE("TODO(7): the kernel stores each of the Width x Width elements once") {
    const lab::CountElements counting;
    const lab::Forgiving forgiving(kAccesses, {7});
    const int Width = 3 * tileWidth();
    const lab::ProductRun run =
        runTiled(Todo(7), lab::integers(lab::square(Width)), kNotAboutCounts);
    const auto& launch = launchOf(Todo(7));
    const std::uint64_t stores = launch.global().storedBytes / sizeof(float);
    lab::expectNoAtomics(Todo(7), "store-count", launch.global(), "P");
    if (stores == 0)
        lab::fail("never-written", Todo(7),
                  "nothing is stored. The last statement of the kernel, after the loop over\nthe "
                  "phases, stores Pvalue in P.");
    if (stores != lab::product(Width, Width))
        lab::fail("store-count", Todo(7),
                  "{} for {} of P. Sum in\na local variable and store it once, "
                  "after the loop over the phases.",
                  lab::count(stores, "store"), lab::count(lab::product(Width, Width), "element"));
    const auto* array = launch.copiedInto(run.P.data());
    if (!array || *std::max_element(array->elementStores.begin(), array->elementStores.end()) > 1)
        lab::fail("store-count", Todo(7),
                  "some elements of P are stored more than once, others never. The element\n"
                  "of a thread is in row Row and column Col.");
}
