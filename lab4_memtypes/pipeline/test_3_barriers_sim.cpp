// Tests the barriers, and when step 2 copies, waits and multiplies.
#include "lab4_memtypes/pipeline/counts.h"

TEST_CASE("TODO(5): one barrier per phase is enough, and no threads race") {
    pipeline::expectBarriers(Todo(5), doubleBufferMatrixMul, {1, 2, 3, 6});
}

TEST_CASE("TODO(6): the tiles of phase 0 are copied asynchronously") {
    const auto& launch = pipeline::launched(Todo(6), asyncMatrixMul, 1);
    pipeline::expectPairs(Todo(6), launch, 2, 4, "Keep both pairs of tiles.");
    pipeline::expectAsynchronous(Todo(6), launch);
    pipeline::expectLoads(Todo(6), launch, 1,
                          "Before the loop, each thread copies one element of M and one of N. In "
                          "the loop, the\nlast phase copies nothing: there is no next phase.");
}

TEST_CASE("TODO(7): no thread reads an element before its copy has ended") {
    pipeline::expectBarriers(Todo(7), asyncMatrixMul, {1});
}

TEST_CASE("TODO(8): each phase copies the next tiles asynchronously, and the last one nothing") {
    for (const int phases : {2, 3}) {
        const auto& launch = pipeline::launched(Todo(8), asyncMatrixMul, phases);
        pipeline::expectAsynchronous(Todo(8), launch);
        pipeline::expectLoads(Todo(8), launch, phases,
                              "In each phase but the last one, each thread copies one element of M "
                              "and one of N.");
    }
}

TEST_CASE("step 2 has one barrier per phase, too, and no threads race") {
    pipeline::expectBarriers("asyncMatrixMul", asyncMatrixMul, {2, 3, 6});
}

TEST_CASE("TODO(8): while the block multiplies, the copies of the next tiles are under way") {
    for (const int phases : {2, 6}) {
        const auto& launch = pipeline::launched(Todo(8), asyncMatrixMul, phases);
        const std::uint64_t all = launch.async.loadedBytes;
        const std::uint64_t next = all - all / static_cast<std::uint64_t>(phases);
        if (all > 0 && launch.async.overlappedBytes >= next) continue;
        lab::fail("no-overlap", Todo(8),
                  "in {}, only {} of {} copied bytes are under way while their\nthread "
                  "multiplies. All but those of phase 0 should be: start the copies before\nthe "
                  "products, and wait for them after the products.",
                  lab::count(phases, "phase"), lab::grouped(launch.async.overlappedBytes),
                  lab::grouped(all));
    }
}
