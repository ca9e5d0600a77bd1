// Tests in which memory the simulated device finds each variable, and what it refuses.
#include "lab4_memtypes/qualifiers/copies.h"
#include "testing/device.h"
#include "testing/lab_sim.h"

using cusim::Space;
using qualifiers::Numbers;

namespace {

// Returns the memory in which the last launch used this variable; the device knows no names in
// registers and local memory.
std::string memoryOf(const std::string& variable) {
    for (const auto& array : cusim::launches().back().arrays)
        if (array.name == variable) return cusim::name(array.space);
    return "a register or local";
}

// Fails the test unless the variable is in this memory, and no threads race for it. Races for a
// variable in the wrong memory are not reported.
void expectMemory(const Todo& todo, const std::string& variable, const std::string& wanted,
                  const std::string& remedy, const lab::Outputs& outputs,
                  const std::function<void()>& use) {
    lab::runIgnoring(qualifiers::kOfSharing, todo, outputs, use);
    lab::givenLaunchOf(todo, "qualifiers.cu");
    const std::string found = memoryOf(variable);
    if (found != wanted)
        lab::fail("wrong-memory", todo, "{} is in {} memory\ninstead of {} memory. {}", variable,
                  found, wanted, remedy);
    lab::run(todo, outputs, use);
    lab::expectOneLaunch(todo, "every thread's number");
    lab::expectCallsChecked("qualifiers.cu", outputs, use);
}

}  // namespace

TEST_CASE("TODO(1): no other thread can access LocalVar") {
    expectMemory(Todo(1), "LocalVar", "a register or local",
                 "An automatic variable is declared in\nthe kernel, with no qualifier.",
                 lab::gives(), [] { qualifiers::drawnBy(drawFromLocalVar, 3, 64); });
}

TEST_CASE("TODO(2): no other thread can access LocalArray") {
    expectMemory(Todo(2), "LocalArray", "a register or local",
                 "An automatic array is declared in\nthe kernel, with no qualifier.", lab::gives(),
                 [] { qualifiers::fromLocalArray(3, 64); });
}

TEST_CASE("TODO(3): SharedVar is in shared memory: no other block can access it") {
    expectMemory(Todo(3), "SharedVar", "shared", "Declare it in the kernel, with __shared__.",
                 lab::gives(), [] { qualifiers::drawnBy(drawFromSharedVar, 3, 64); });
}

TEST_CASE("TODO(4): GlobalVar is in global memory, and the threads do not race") {
    expectMemory(Todo(4), "GlobalVar", "global",
                 "Declare it outside of all\nfunctions, with __device__.", lab::gives(),
                 [] { qualifiers::drawnBy(drawFromGlobalVar, 3, 64); });
}

TEST_CASE("TODO(5): the host copies the value of GlobalVar from the device") {
    lab::run(Todo(5), [] { readGlobalVar(); });
    if (!lab::timesCalled("cudaMemcpyFromSymbol") && !lab::timesCalled("cudaGetSymbolAddress"))
        lab::fail("no-copy", Todo(5),
                  "this call of readGlobalVar() does not copy GlobalVar. If an earlier call "
                  "has\ndone so, copy it in each call. In host code, the name stands for host "
                  "memory that\nno kernel uses, unless the variable is __managed__. CUDA allows "
                  "other ways, but the\nexercise asks for cudaMemcpyFromSymbol.");
    lab::expectCallsChecked(Todo(5), lab::gives(), [] { readGlobalVar(); });
}

TEST_CASE("TODO(7): ConstVar is in constant memory") {
    Numbers seen(64, qualifiers::kNever);
    expectMemory(Todo(7), "ConstVar", "constant",
                 "Declare it outside of all\nfunctions, with __constant__.", lab::gives(seen),
                 [&] { readConstVar(seen.data(), 1, 64); });
}

TEST_CASE("TODO(7): a kernel cannot store to a constant") {
    device::reset();
    device::runQuietly(lab::gives(), [] { storeToConstVar(1); });
    if (lab::findingsOf("constant-write").empty())
        lab::fail("wrong-memory", Todo(7),
                  "a kernel stores to ConstVar, and the device does not refuse it.\nKernels can "
                  "only read constant memory: declare ConstVar with __constant__.");
}

TEST_CASE("TODO(8): the host copies a value into ConstVar") {
    lab::run(Todo(8), [] { setConstVar(5); });
    if (!lab::timesCalled("cudaMemcpyToSymbol") && !lab::timesCalled("cudaGetSymbolAddress"))
        lab::fail("no-copy", Todo(8),
                  "setConstVar() copies nothing. In host code, the name ConstVar stands for\nhost "
                  "memory that no kernel uses. Set the value with cudaMemcpyToSymbol.");
    lab::expectCallsChecked(Todo(8), lab::gives(), [] { setConstVar(5); });
}

TEST_CASE("a shared variable ends with its block: it has no value in the next launch") {
    Numbers seen(32, qualifiers::kNever);
    device::reset();
    device::runQuietly(lab::gives(seen), [&] {
        qualifiers::drawnBy(drawFromSharedVar, 1, 32);
        readStaleVar(seen.data(), 32);
    });
    if (lab::findingsOf("unset-read").empty())
        lab::fail("demonstration-changed",
                  "staleKernel must read an uninitialized shared variable. It is a\ndemonstration: "
                  "restore it.");
}
