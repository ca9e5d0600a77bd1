// Tests the barriers of the four questions on one tile.
#include "lab2_tiled/hazards/barriers.h"

TEST_CASE("TODO(1): a barrier separates a write and other threads' accesses to its element") {
    const lab::CountElements counting;
    hazards::expectSynchronized(Todo(1), 2, hazards::onFourQuestions(), [] {
        return exact::neverLoaded({{"in", 0}}, "each thread loads\nthe number of its own element.");
    });
}

TEST_CASE("TODO(1): a thread waits at no more than two barriers") {
    const hazards::Trial trial = hazards::onFourQuestions();
    hazards::countedLaunch(Todo(1), trial);
    hazards::expectNoMoreBarriers(Todo(1), "fourQuestions", 2,
                                  "No barrier is needed between two reads, or if a thread "
                                  "accesses\nonly its own element.");
    hazards::expectStoredOnce("fourQuestions", trial);
    hazards::expectBarriersNeeded(Todo(1), trial);
    hazards::expectCallsChecked("fourQuestions", trial);
}
