// Tests that the result does not depend on the order of the threads.
#include "lab2_tiled/tiled_launch_sim.h"
#include "testing/device.h"

namespace {

class Schedule {
  public:
    explicit Schedule(const std::string& schedule) : kept_(cusim::options().schedule) {
        cusim::options().schedule = schedule;
    }
    Schedule(const Schedule&) = delete;
    Schedule& operator=(const Schedule&) = delete;
    ~Schedule() { cusim::options().schedule = kept_; }

  private:
    std::string kept_;
};

}  // namespace

TEST_CASE("the same bits come out in whatever order the threads run") {
    const device::WithoutWarps withoutWarps;
    const matrix::DataSet set = fractions(3 * tileWidth());
    const TiledRun first = runTiled("tiledMatrixMul", set);
    lab::expectProduct("tiledMatrixMul", first.P, first.set);
    for (const char* order : {"forward", "reverse", "random:1", "random:2", "random:3"}) {
        INFO("SCHEDULE=" << order);
        const Schedule schedule(order);
        const TiledRun run = runTiled("tiledMatrixMul", set);
        if (!(run.P == first.P))
            lab::fail("order-matters",
                      "tiledMatrixMul: the product depends on the order in which the threads "
                      "run.\nEach thread sums up its own element, phase by phase.");
    }
}
