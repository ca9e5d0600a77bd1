// Tests how long a variable lives, and what the host can reach.
#include "lab4_memtypes/qualifiers/copies.h"

using qualifiers::Numbers;

namespace {

// Returns what every thread of a small grid sees in ConstVar; fails if they differ.
int seenConstVar() {
    Numbers seen(std::size_t{6} * 64, qualifiers::kNever);
    readConstVar(seen.data(), 6, 64);
    return std::count(seen.begin(), seen.end(), seen.front()) ==
                   static_cast<std::ptrdiff_t>(seen.size())
               ? seen.front()
               : qualifiers::kNever;
}

// Returns the size of a copy of the last call that is smaller than an int; else an empty text.
std::string copyOfPart() {
#ifdef CUDA_SIMULATED_DEVICE
    for (const cusim::StreamStep& step : cusim::streamSteps()) {
        const bool copy =
            step.what == cusim::StreamStep::CopyIn || step.what == cusim::StreamStep::CopyOut;
        if (copy && step.bytes < sizeof(int))
            return lab::filled("\nYour copy has {}, but an int has {}: pass its size in bytes.",
                               lab::count(step.bytes, "byte"), sizeof(int));
    }
#endif
    return "";
}

// Fails with this sentence while GlobalVar is not one variable of the grid, so that there is
// nothing to read or to point to.
void expectGlobalVar(const Todo& todo) {
    const Numbers drawn = qualifiers::drawnAlone(todo, drawFromGlobalVar, 4, 64);
    if (qualifiers::copies(drawn, qualifiers::lowestOf(drawn)) != 1)
        lab::fail("wrong-memory", todo,
                  "GlobalVar is not yet one variable for the whole grid, so the test\ncannot judge "
                  "this step. Do {} first.",
                  Todo(4));
}

}  // namespace

TEST_CASE("TODO(4): a global variable keeps its value until the next launch") {
    Numbers first = qualifiers::undrawn(4, 64), second = first;
    lab::runIgnoring(qualifiers::kOfSharing, Todo(4), lab::gives(first, second), [&] {
        first = qualifiers::drawnBy(drawFromGlobalVar, 4, 64);
        second = qualifiers::drawnBy(drawFromGlobalVar, 4, 64);
    });
    const int last = *std::max_element(first.begin(), first.end());
    if (qualifiers::lowestOf(second) != last + 1)
        lab::fail("wrong-memory", Todo(4),
                  "the highest number of the first launch is {}, so the lowest of the\nsecond must "
                  "be one more, but it is {}. A __device__ variable keeps its value from\nlaunch "
                  "to launch: no kernel may set it to zero.",
                  last, qualifiers::lowestOf(second));
}

TEST_CASE("TODO(5): the host reads a global variable") {
    expectGlobalVar(Todo(5));
    Numbers drawn = qualifiers::undrawn(4, 64);
    int value = qualifiers::kNever, again = value;
    lab::run(Todo(5), lab::gives(drawn, value, again), [&] {
        drawn = qualifiers::drawnBy(drawFromGlobalVar, 4, 64);
        value = readGlobalVar();
        qualifiers::drawnBy(drawFromGlobalVar, 1, 32);
        again = readGlobalVar();
    });
    const int next = *std::max_element(drawn.begin(), drawn.end()) + 1;
    if (value != next)
        lab::fail("wrong-copy", Todo(5),
                  "readGlobalVar() returns {}, but GlobalVar is {}. Copy its value\nto the host "
                  "with cudaMemcpyFromSymbol(target, variable, bytes).{}",
                  value, next, copyOfPart());
    if (again != next + 32)
        lab::fail(
            "wrong-copy", Todo(5),
            "after 32 threads have drawn again, GlobalVar is {}, but readGlobalVar()\nreturns "
            "{}. Copy the value in each call: a static variable is set only once.",
            next + 32, again);
}

TEST_CASE("TODO(6): a kernel uses a global variable through a pointer") {
    expectGlobalVar(Todo(6));
    Numbers before = qualifiers::undrawn(1, 32), after = before;
    lab::run(Todo(6), lab::gives(before, after), [&] {
        before = qualifiers::drawnBy(drawFromGlobalVar, 1, 32);
        addToGlobalVar(1000);
        after = qualifiers::drawnBy(drawFromGlobalVar, 1, 32);
    });
    const int wanted = *std::max_element(before.begin(), before.end()) + 1 + 1000;
    if (qualifiers::lowestOf(after) != wanted)
        lab::fail(
            "wrong-pointer", Todo(6),
            "after addToGlobalVar(1000) the next thread draws {} instead\nof {}: {} was "
            "added. {}",
            qualifiers::lowestOf(after), wanted,
            std::int64_t{qualifiers::lowestOf(after)} - (wanted - 1000),
            qualifiers::lowestOf(after) == 1000
                ? "The number\nreplaces the value of GlobalVar: add it, with +=."
            : qualifiers::lowestOf(after) == wanted - 1000
                ? "In a kernel, &GlobalVar is the address of GlobalVar.\nIf the kernel has ptr += "
                  "number, that moves only the pointer: change *ptr."
                : "In a kernel, &GlobalVar is the address of GlobalVar.");
}

TEST_CASE("TODO(8): a constant keeps the value that the host copied, for all launches") {
    int first = 0, again = 0, second = 0;
    lab::run(Todo(8), lab::gives(first, again, second), [&] {
        setConstVar(17);
        first = seenConstVar();
        again = seenConstVar();
        setConstVar(-4);
        second = seenConstVar();
    });
    if (first == 17 && again == 17 && second == -4) return;
    lab::fail(
        "wrong-copy", Todo(8),
        "after the host has set 17, two launches see {} and {}. After it has\nset -4, a launch "
        "sees {}. Copy the value into ConstVar with\ncudaMemcpyToSymbol(variable, source, "
        "bytes).{}",
        first, again, second, copyOfPart());
}
