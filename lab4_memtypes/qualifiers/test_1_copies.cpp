// Tests which threads share a variable: how many copies it has over 1,000 blocks of 512 threads.
#include <algorithm>
#include <bitset>

#include "lab4_memtypes/qualifiers/copies.h"

using qualifiers::Counted;
using qualifiers::kBlocks;
using qualifiers::kThreads;
using qualifiers::Numbers;

namespace {

const std::size_t kAll = std::size_t{kBlocks} * kThreads;

// Returns for 1, 2, ... n the number of different decimal digits in each; `but` is not counted.
Numbers differentDigits(std::size_t n, std::size_t but = 10) {
    std::vector<std::bitset<11>> digits(n + 1);
    Numbers different;
    for (std::size_t i = 1; i <= n; ++i) {
        digits[i] = digits[i / 10];
        digits[i].set(i % 10);
        different.push_back(static_cast<int>(digits[i].count() - (digits[i].test(but) ? 1 : 0)));
    }
    return different;
}

// Fails the test unless every thread has counted the digits of its own number.
void expectDigits(const Todo& todo, const Numbers& different) {
    const Numbers wanted = differentDigits(different.size());
    const auto at = std::mismatch(different.begin(), different.end(), wanted.begin());
    if (at.first == different.end()) return;
    const auto thread = at.first - different.begin();
    if (std::count(different.begin(), different.end(), qualifiers::kNever) > 0)
        lab::failOfNoStep(
            "never-written",
            "thread {} does not store its number of different digits. The kernels\ncame complete "
            "except for the declarations: restore the other lines.",
            thread);
    const int first = different.front();
    if (std::count(different.begin(), different.end(), first) ==
        static_cast<std::ptrdiff_t>(different.size()))
        lab::fail("wrong-memory", todo,
                  "every thread counts {}, but number 1 of thread 0 has {},\nand number 12 of "
                  "thread 11 has {}. {}",
                  lab::count(first, "different digit"), wanted[0], wanted[11],
                  first == 0 ? "Count the digits in the array, and then sum."
                             : "See which elements of the array the sum counts.");
    const Numbers next = differentDigits(different.size() + 1);
    if (std::equal(different.begin(), different.end(), next.begin() + 1))
        lab::fail("wrong-memory", todo,
                  "thread {} has number {} and counts {}\ninstead of {}: each thread counts the "
                  "digits of the number after its own.",
                  thread, thread + 1, lab::count(*at.first, "different digit"), *at.second);
    std::string which =
        "Check that each is set\nto 0, counted and summed, and that the loop over n uses the "
        "digits of this number.";
    for (std::size_t digit = 0; digit < 10; ++digit)
        if (different == differentDigits(different.size(), digit))
            which = lab::filled("Digit {} is\nleft out.", digit);
    lab::fail("wrong-memory", todo,
              "thread {} has number {} and counts {}\ninstead of {}. The array has an element for "
              "each of 10 digits, 0 to 9. {}",
              thread, thread + 1, lab::count(*at.first, "different digit"), *at.second, which);
}

}  // namespace

TEST_CASE("TODO(1): each of 512,000 threads has its own copy of an automatic variable") {
    const Numbers drawn = qualifiers::drawnAlone(Todo(1), drawFromLocalVar);
    qualifiers::expectCopies(Todo(1), "LocalVar", drawn, 0, kAll, "local");
}

TEST_CASE("TODO(2): each of 512,000 threads has its own copy of an automatic array") {
    Counted counted{qualifiers::undrawn(), qualifiers::undrawn()};
    lab::runIgnoring(qualifiers::kOfSharing, Todo(2), lab::gives(counted.drawn, counted.different),
                     [&] { counted = qualifiers::fromLocalArray(); });
    qualifiers::expectCopies(Todo(2), "LocalArray", counted.drawn, 0, kAll, "local");
    expectDigits(Todo(2), counted.different);
}

TEST_CASE("TODO(3): each of 1,000 blocks has its own copy of a shared variable") {
    const Numbers drawn = qualifiers::drawnAlone(Todo(3), drawFromSharedVar);
    qualifiers::expectCopies(Todo(3), "SharedVar", drawn, 0, kBlocks, "shared");
    for (auto block = drawn.begin(); block != drawn.end(); block += kThreads)
        qualifiers::expectAllDifferent(Todo(3), "SharedVar", Numbers(block, block + kThreads), 0);
}

TEST_CASE("TODO(4): the whole grid has one copy of a global variable") {
    const Numbers drawn = qualifiers::drawnAlone(Todo(4), drawFromGlobalVar);
    const int lowest = qualifiers::lowestOf(drawn);
    qualifiers::expectCopies(Todo(4), "GlobalVar", drawn, lowest, 1, "global");
    qualifiers::expectAllDifferent(Todo(4), "GlobalVar", drawn, lowest);
    // No test draws from it before.
    if (lowest != 0)
        lab::fail("wrong-memory", Todo(4),
                  "GlobalVar begins with {} instead of 0. See its declaration: a\n__device__ "
                  "variable without a value begins with 0.",
                  lowest);
}

TEST_CASE("registerArrayKernel and localArrayKernel count the same") {
    Numbers different(kAll, qualifiers::kNever);
    lab::run("registerArrayKernel", lab::gives(different),
             [&] { countInRegisters(different.data(), kBlocks, kThreads); });
    if (different != differentDigits(kAll))
        lab::fail("demonstration-changed",
                  "registerArrayKernel counts wrong numbers. It is a demonstration: restore it.");
}
