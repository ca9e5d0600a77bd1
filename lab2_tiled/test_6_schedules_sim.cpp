// Tests that the result does not depend on the order of the threads.
#include "lab2_tiled/tiled_launch_sim.h"
#include "testing/device.h"

TEST_CASE("the result is the same, bit for bit, in every order of the threads") {
    const device::WithoutWarps withoutWarps;
    const matrix::DataSet set = lab::fractions(lab::square(4 * tileWidth()));
    const lab::ProductRun first = runTiled("tiledMatrixMul", set);
    lab::expectProduct("tiledMatrixMul", first);
    for (const char* order : {"forward", "reverse", "random:1", "random:2", "random:3"}) {
        INFO("SCHEDULE=" << order);
        const lab::ChosenOptions chosen;
        cusim::options().schedule = order;
        const lab::ProductRun run = runTiled("tiledMatrixMul", set);
        if (!(run.P == first.P))
            lab::fail("order-matters",
                      "tiledMatrixMul: the product depends on the order in which the threads "
                      "run.\nEach thread must sum its own element, phase by phase.");
    }
}
