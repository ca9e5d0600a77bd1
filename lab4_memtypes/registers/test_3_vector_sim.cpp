#include "lab4_memtypes/registers/counts.h"

namespace {

const Step kVector{"vectorMatrixMul", vectorMatrixMul};

void expectFours(const Todo& todo, const std::string& what, std::uint64_t accesses,
                 std::uint64_t bytes) {
    if (bytes == 0) lab::fail("never-accessed", todo, "there are no {} yet.", what);
    if (bytes == accesses * sizeof(float) * 4) return;
    lab::fail("not-in-fours", todo, "the {} access {} bytes each on average, but a float4 has 16.",
              what, decimal(static_cast<double>(bytes) / static_cast<double>(accesses)));
}

// Fails the test unless loads from the array filled from M (or N) take four floats each.
void expectFoursOf(const Todo& todo, const std::string& name, bool isM) {
    for (const Shape shape : {kWholeTiles, kOneTile}) {
        const lab::ProductRun run = countedRun(kVector, shape);
        const auto* array = lab::launchOf(todo).filledFrom((isM ? run.set.M : run.set.N).data());
        expectFours(todo, "loads of " + name, array ? array->count.loads : 0,
                    array ? array->count.loadedBytes : 0);
    }
}

}  // namespace

TEST_CASE("TODO(6): M is loaded four elements at a time") { expectFoursOf(Todo(6), "M", true); }

TEST_CASE("TODO(7): N is loaded four elements at a time") { expectFoursOf(Todo(7), "N", false); }

TEST_CASE("shared memory is read four elements at a time, with as few words as in step 2") {
    for (const Shape shape : {kWholeTiles, kOneTile}) {
        const Counts counts = countsOf({Todo(8), vectorMatrixMul}, shape);
        expectFours(Todo(8), "loads from shared memory", counts.shared.loads,
                    counts.shared.loadedBytes);
    }
    expectWords({Todo(8), vectorMatrixMul}, 8 + 8, 64);
}

TEST_CASE("TODO(9): P is stored four elements at a time") {
    for (const Shape shape : {kWholeTiles, kOneTile}) {
        const Counts counts = countsOf({Todo(9), vectorMatrixMul}, shape);
        expectFours(Todo(9), "stores into P", counts.global.stores, counts.global.storedBytes);
    }
}
