// Counts the copies of a variable by the numbers that threads draw: the first thread at a copy
// draws the lowest number.
#pragma once

#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "lab4_memtypes/qualifiers/qualifiers.h"
#include "testing/lab.h"

namespace qualifiers {

using Numbers = std::vector<int>;

// The sizes of the course's example.
const int kBlocks = 1000, kThreads = 512;

// A value that no thread draws or sees.
const int kNever = -1;

// Findings that tests of values ignore, as threads may wrongly share a copy; the tests of memory
// report them.
const std::vector<std::string> kOfSharing = {"race", "unset-read"};

// Returns digits in groups of three: "512,000"
inline std::string plain(std::size_t n) {
    const std::string text = lab::count(n, "");
    return text.substr(0, text.find(' '));
}

inline std::size_t copies(const Numbers& drawn, int lowest) {
    return static_cast<std::size_t>(std::count(drawn.begin(), drawn.end(), lowest));
}

// Prints the number of copies, and fails the test where it is not the wanted one.
inline void expectCopies(const std::string& todo, const std::string& variable, const Numbers& drawn,
                         int lowest, std::size_t wanted) {
    if (std::count(drawn.begin(), drawn.end(), kNever) != 0)
        lab::fail("never-written",
                  "{}: some threads do not store what they draw. Except for the declarations\nthe "
                  "kernels are complete as they came; restore them.",
                  todo);
    const std::size_t found = copies(drawn, lowest);
    std::cout << "       " << plain(drawn.size()) << " threads draw from " << plain(found)
              << (found == 1 ? " copy of " : " copies of ") << variable << "\n";
    if (found == wanted) return;
    lab::fail("wrong-memory",
              "{}: {} of {} threads are the first to draw from a\ncopy of {}; wanted: {}. Where it "
              "is declared, and with\nwhich qualifier, decides who shares it: see the table in the "
              "handout. And a\nline that sets it in each block begins it anew.",
              todo, plain(found), plain(drawn.size()), variable, plain(wanted));
}

// Fails the test unless the numbers, sorted, are first, first + 1, ...
inline void expectAllDifferent(const std::string& todo, const std::string& variable, Numbers drawn,
                               int first) {
    std::sort(drawn.begin(), drawn.end());
    for (std::size_t i = 0; i < drawn.size(); ++i)
        if (drawn[i] != first + static_cast<int>(i))
            lab::fail("wrong-memory",
                      "{}: two threads draw one number from {}, or one is left out:\nothers set it "
                      "to zero or draw from it in between. See who shares it.",
                      todo, variable);
}

inline int lowestOf(const Numbers& drawn) { return *std::min_element(drawn.begin(), drawn.end()); }

// Returns a number for every thread of a grid, not drawn yet.
inline Numbers undrawn(int blocks = kBlocks, int threads = kThreads) {
    return Numbers(static_cast<std::size_t>(blocks) * static_cast<std::size_t>(threads), kNever);
}

// Each draws a number for every thread of a grid.
inline Numbers fromLocalVar(int blocks = kBlocks, int threads = kThreads) {
    Numbers drawn = undrawn(blocks, threads);
    drawFromLocalVar(drawn.data(), blocks, threads);
    return drawn;
}

inline Numbers fromSharedVar(int blocks = kBlocks, int threads = kThreads) {
    Numbers drawn = undrawn(blocks, threads);
    drawFromSharedVar(drawn.data(), blocks, threads);
    return drawn;
}

inline Numbers fromGlobalVar(int blocks = kBlocks, int threads = kThreads) {
    Numbers drawn = undrawn(blocks, threads);
    drawFromGlobalVar(drawn.data(), blocks, threads);
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
