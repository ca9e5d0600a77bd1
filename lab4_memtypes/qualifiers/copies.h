// Counts the copies of a variable by the numbers that threads draw: the first thread at a copy
// draws the lowest number.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <limits>
#include <string>
#include <vector>

#include "lab4_memtypes/qualifiers/qualifiers.h"
#include "testing/lab.h"
#ifdef CUDA_SIMULATED_DEVICE
#include "simulator/simulator.h"
#include "testing/lab_sim.h"
#endif

namespace qualifiers {

using Numbers = std::vector<int>;

// The sizes of the course's example.
const int kBlocks = 1000, kThreads = 512;

// A value that no thread draws or sees, even if a mistake lets it begin below 0.
const int kNever = std::numeric_limits<int>::min();

// Findings that tests of values ignore, as threads may wrongly share a copy; the tests of memory
// report them.
const std::vector<std::string> kOfSharing = {"race", "unset-read"};

inline std::size_t copies(const Numbers& drawn, int lowest) {
    return static_cast<std::size_t>(std::count(drawn.begin(), drawn.end(), lowest));
}

// Returns what is wrong with the draws if the variable is in this memory, as it should; else
// nothing. The device knows no names in registers and local memory.
inline std::string wrongDraws([[maybe_unused]] const std::string& variable,
                              [[maybe_unused]] const std::string& memory,
                              [[maybe_unused]] bool allAlike) {
#ifdef CUDA_SIMULATED_DEVICE
    if (cusim::launches().empty()) return "";
    for (const auto& array : cusim::launches().back().arrays) {
        if (array.name != variable || cusim::name(array.space) != memory) continue;
        const std::string place =
            lab::filled("{} is in {} memory, as it should be, but ", variable, memory).words;
        if (!lab::findingsOf("unset-read").empty())
            return place +
                   "some copies\nare uninitialized when threads draw: each block has its own copy, "
                   "which a thread\nof that block must set.";
        if (memory == "shared" && !lab::findingsOf("race").empty())
            return place +
                   "threads\nrace for it: one thread of each block must set it, before a "
                   "__syncthreads(), and\neach draw must be atomic.";
        if (array.count.atomics + array.count.loads == 0) return place + "no thread draws from it.";
        if (allAlike) return place + "all threads draw the\nsame number: each draw must add 1.";
    }
#endif
    return "";
}

// Prints the number of copies, and fails the test if it is not the wanted one.
inline void expectCopies(const Todo& todo, const std::string& variable, const Numbers& drawn,
                         int lowest, std::size_t wanted, const std::string& memory) {
    const auto end = std::find(drawn.begin(), drawn.end(), kNever);
    const auto stored = end - drawn.begin();
    if ((stored == kThreads || stored == kBlocks) &&
        std::count(end, drawn.end(), kNever) == drawn.end() - end)
        lab::fail(
            "never-written", todo,
            "only drawn[0] to drawn[{}] get a number, so {}.x is their\nindex. The index is i, "
            "the thread's number in the whole grid.",
            stored - 1, stored == kThreads ? "threadIdx" : "blockIdx");
    if (end != drawn.end())
        lab::fail(
            "never-written", todo,
            "some threads do not store the number that they draw, or others\noverwrite it. The "
            "kernels came complete except for the declarations: restore the\nother lines.");
    const std::size_t found = copies(drawn, lowest);
    std::cout << "       " << lab::grouped(drawn.size()) << " threads use " << lab::grouped(found)
              << (found == 1 ? " copy of " : " copies of ") << variable << "\n";
    if (found == wanted) return;
    const int least = *std::min_element(drawn.begin(), drawn.end());
    const std::string early =
        least != lowest + 1 ? ", and\nthat each thread draws once."
        : variable == "LocalVar"
            ? ": if\nit is 0, ++LocalVar draws the value after its addition: write LocalVar++."
            : ": if\nit is 0, store what atomicAdd() returns, as it is.";
    if (found == 0)
        lab::fail("wrong-memory", todo,
                  "no thread draws {} from {}, but the first thread at each copy must:\nthe lowest "
                  "number drawn is {}. Check the value of {} before the threads draw{}",
                  lowest, variable, least, variable,
                  variable == "LocalArray"
                      ? ".\nAlso check that the sum of its elements begins with 0."
                      : early);
    const std::string draws = wrongDraws(variable, memory, found == drawn.size());
    if (!draws.empty()) lab::fail("wrong-memory", todo, "{}", draws);
    lab::fail("wrong-memory", todo,
              "{} of {} threads are the first to draw from a\ncopy of {}, so there are as many "
              "copies instead of {}. The place and\nthe qualifier of the declaration decide which "
              "threads share a copy: see the table\nin the handout. A line that sets the variable "
              "in each block restarts it, too.",
              lab::grouped(found), lab::grouped(drawn.size()), variable, lab::grouped(wanted));
}

// Returns the distance of the sorted numbers if it is the same for all and more than 1; else
// 1.
inline std::int64_t stepOf(Numbers drawn) {
    if (drawn.size() < 2) return 1;
    // The lowest two mostly tell, and to sort all takes as long as to draw them.
    std::partial_sort(drawn.begin(), drawn.begin() + 2, drawn.end());
    const std::int64_t step = std::int64_t{drawn[1]} - drawn[0];
    if (step <= 1) return 1;
    std::sort(drawn.begin(), drawn.end());
    for (std::size_t i = 1; i < drawn.size(); ++i)
        if (std::int64_t{drawn[i]} - drawn[i - 1] != step) return 1;
    return step;
}

// Returns why numbers are drawn twice if each change of the variable was an atomic one; empty if
// it is changed in another way, or in registers.
inline std::string ifDrawnByAtomics([[maybe_unused]] const std::string& variable) {
#ifdef CUDA_SIMULATED_DEVICE
    if (cusim::launches().empty()) return "";
    const auto& launch = cusim::launches().back();
    for (const auto& array : launch.arrays) {
        if (array.name != variable || array.count.atomics == 0) continue;
        if (array.count.atomics < launch.threads)
            return lab::filled(
                "{} change {}, but {} draw.\nWhat an atomic returns is only in the thread that "
                "calls it: let each thread draw.",
                lab::count(array.count.atomics, "atomic"), variable,
                lab::count(launch.threads, "thread"));
        if (array.count.stores == 0 && array.count.loads == 0)
            return lab::filled(
                "two threads store the same number from {}, or a number is "
                "missing.\nEach thread draws with an atomic: store what that "
                "returns, as it is.",
                variable);
    }
#endif
    return "";
}

// Fails the test unless the numbers are first, first + 1, ... in some order.
inline void expectAllDifferent(const Todo& todo, const std::string& variable, const Numbers& drawn,
                               int first) {
    if (const auto step = stepOf(drawn); step > 1)
        lab::fail("wrong-memory", todo,
                  "the numbers drawn from {} differ by {}: each draw must add 1.", variable, step);
    if (const int lowest = *std::min_element(drawn.begin(), drawn.end()); lowest < first)
        lab::fail("wrong-memory", todo,
                  "the lowest number drawn from {} is {} instead of {}. Check its\nvalue before "
                  "the threads draw, and that each stores what atomicAdd() returns, as it\nis: the "
                  "value before its addition.",
                  variable, lowest, first);
    if (const int highest = *std::max_element(drawn.begin(), drawn.end());
        drawn.size() > 2 && highest - first < 2)
        lab::fail("wrong-memory", todo,
                  "{} draw from {}, but the highest number is only {}.\nEach draw must add 1.",
                  lab::count(drawn.size(), "thread"), variable, highest);
    std::vector<char> seen(drawn.size());
    for (const int number : drawn) {
        const auto at = static_cast<std::size_t>(std::int64_t{number} - first);
        if (at < seen.size() && !seen[at]++) continue;
        if (const std::string atomics = ifDrawnByAtomics(variable); !atomics.empty())
            lab::fail("wrong-memory", todo, "{}", atomics);
        lab::fail("wrong-memory", todo,
                  "two threads draw the same number from {}, or a number is missing.\nWith ++, "
                  "another thread can draw between the read and the write: use atomicAdd(),\nwhich "
                  "does both in one step. Also check that only one thread sets it to zero.",
                  variable);
    }
}

inline int lowestOf(const Numbers& drawn) { return *std::min_element(drawn.begin(), drawn.end()); }

// Returns a number for every thread of a grid, not drawn yet.
inline Numbers undrawn(int blocks = kBlocks, int threads = kThreads) {
    return Numbers(static_cast<std::size_t>(blocks) * static_cast<std::size_t>(threads), kNever);
}

// Returns the numbers that the threads of a grid draw from a variable.
using Draw = void (*)(int* drawn, int blocks, int threads);
inline Numbers drawnBy(Draw draw, int blocks = kBlocks, int threads = kThreads) {
    Numbers drawn = undrawn(blocks, threads);
    draw(drawn.data(), blocks, threads);
    return drawn;
}

// Does the same in a call of its own, which leaves findings of sharing to other tests.
inline Numbers drawnAlone(const Todo& todo, Draw draw, int blocks = kBlocks,
                          int threads = kThreads) {
    Numbers drawn = undrawn(blocks, threads);
    lab::runIgnoring(kOfSharing, todo, lab::gives(drawn),
                     [&] { drawn = drawnBy(draw, blocks, threads); });
    return drawn;
}

struct Counted {
    Numbers drawn, different;
};
inline Counted fromLocalArray(int blocks = kBlocks, int threads = kThreads) {
    Counted result{undrawn(blocks, threads), undrawn(blocks, threads)};
    drawFromLocalArray(result.drawn.data(), result.different.data(), blocks, threads);
    return result;
}

}  // namespace qualifiers
