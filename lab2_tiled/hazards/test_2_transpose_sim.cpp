// Tests the barriers of the transpose in place.
#include "lab2_tiled/hazards/barriers.h"

TEST_CASE("TODO(2): the transpose is right for widths 1 to 20 in every order of the threads") {
    for (int BLOCK_WIDTH = 1; BLOCK_WIDTH <= 20; ++BLOCK_WIDTH) {
        INFO("BLOCK_WIDTH " << BLOCK_WIDTH);
        hazards::expectSynchronized(Todo(2), 1, hazards::onBlockTranspose(BLOCK_WIDTH));
    }
}

TEST_CASE("TODO(2): a thread waits at no more than one barrier") {
    for (const int BLOCK_WIDTH : {1, 5, 6, 20}) {
        INFO("BLOCK_WIDTH " << BLOCK_WIDTH);
        const hazards::Trial trial = hazards::onBlockTranspose(BLOCK_WIDTH);
        hazards::countedLaunch(Todo(2), trial);
        hazards::expectNoMoreBarriers(Todo(2), "blockTranspose", 1,
                                      "The tile is written once and then read once: one hazard.");
        hazards::expectStoredOnce("blockTranspose", trial);
    }
    hazards::expectBarriersNeeded(Todo(2), hazards::onBlockTranspose(20));
    hazards::expectCallsChecked("blockTranspose", hazards::onBlockTranspose(5));
}
