// Tests the order of a warp's accesses: its requests, and the sectors of 32 bytes they touch.
#include <algorithm>

#include "lab1_naive/device_matrices.h"
#include "simulator/simulator.h"
#include "testing/lab.h"

namespace {

// Fails the test if a request to the array touches more sectors than `enough`, or is not one of a
// whole warp.
void expectSectors(const std::string& what, const cusim::ArrayReport* array, unsigned enough) {
    if (!array || array->warps.globalRequests == 0)
        lab::fail("not-counted", Todo(1),
                  "the simulated device has counted no request of a warp for the\n{}, although the "
                  "product is right. This is not your mistake:\nplease report it.",
                  what);
    const auto& warps = array->warps;
    const std::uint64_t most = (array->count.loads + array->count.stores) / 32;
    if (warps.globalRequests > most)
        lab::fail("uncoalesced", Todo(1),
                  "for the {}, the warps make {}, but {}\nare enough: the threads of a warp access "
                  "memory one after the other.\nUse the same statement for all threads.",
                  what, lab::count(warps.globalRequests, "request"), most);
    // A warp whose threads are in one row touches more sectors, and needs them.
    if (warps.sectors <= std::max(enough * warps.globalRequests, warps.idealSectors)) return;
    const std::uint64_t touched = (warps.sectors + warps.globalRequests / 2) / warps.globalRequests;
    lab::fail("uncoalesced", Todo(1),
              "for the {}, a request of a warp touches {}\nsectors of 32 bytes, but {} are enough. "
              "Neighbours in x must access\nneighbours in memory: Row from y, Col from x.",
              what, touched, enough);
}

}  // namespace

TEST_CASE("a warp of a 16 x 16 block loads from 2 sectors and stores to 4") {
    const lab::ProductRun run = runKernel(Todo(1), lab::integers(lab::square(64)), dim3(16, 16));
    // A wrong product matters more than its traffic.
    lab::expectProduct(Todo(3), run);
    const auto& launch = cusim::launches().at(0);
    // A warp is two rows of 16 threads: both rows load the same 16 floats of N, each loads one
    // float of M and stores 16 of P.
    for (const auto& array : launch.arrays)
        if (array.count.stores > 0) expectSectors("stores of P", &array, 4);
    expectSectors("loads of N", launch.filledFrom(run.set.N.data()), 2);
    expectSectors("loads of M", launch.filledFrom(run.set.M.data()), 2);
}
