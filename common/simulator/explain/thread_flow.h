// Finds in a kernel's source which threads reach a line, and whether they store one element there.
#pragma once

#include <string>
#include <vector>

#include "simulator/include/cusim/launch.h"

namespace cusim {

// An if, a switch or a loop; its line is 0 for none.
struct Branch {
    int line = 0, last = 0;
    bool isLoop = false;
    bool ofWarp = false;    // its condition compares with the size of a warp
    bool hasElse = false;   // an if
    std::string text = {};  // "if (tx < 16)"; empty if that is long
};
// Returns the outermost one around all of these lines whose condition differs among the threads of
// a block.
Branch branchOfThreads(const std::string& file, const std::vector<int>& lines);

// An element that several threads of a block, or of several blocks, store on a line. If nothing is
// missing in its index, that was loaded from an array.
struct StoredByMany {
    std::string text;       // as in the line: "sum[0]"; empty if the source does not show it
    std::string missing;    // what the index does not depend on: "threadIdx.y (here 0 to 15)"
    bool isForAll = false;  // the same for all threads of the block, or of the grid
    bool byThread = false;  // which element, or whether, depends on threadIdx
    bool adds = false;      // the stored value, or whether it is stored, depends on the old value
};
// `variable` is the name of an array of one element, else empty. `extents` are the block's, or the
// grid's if the threads are of several blocks.
StoredByMany storedByMany(const std::string& file, int line, const std::string& variable,
                          const dim3& extents, bool acrossBlocks);

// Returns the line of the innermost if or loop around a line whose condition has these characters;
// 0 for none.
int lineOfCondition(const std::string& file, int line, const std::string& characters);

// A continue, a break or a return of some threads; its line is 0 for none.
struct Jump {
    std::string word;
    int line = 0;
};
// Returns the last one by which threads skip this line.
Jump jumpOver(const std::string& file, int line);

// Returns the line of an if that tests blockIdx, or else threadIdx, around each store to an array
// in the function of this line; 0 if a store is outside of it.
int storedBySome(const std::string& file, int line, const std::string& array, bool byBlocks);

// Returns the variables that alone are an index on this line and depend on both blockIdx and
// threadIdx.
std::vector<std::string> inBracketsByBlock(const std::string& file, int line);

// A comparison of an if, of the variable `name`; its line is 0 for none.
struct Comparison {
    int line = 0;
    std::string name = {}, word = {}, meant = {};
};
// Returns those with `limit` that let a thread reach this line if the variable equals it.
std::vector<Comparison> letIn(const std::string& file, int line, const std::string& limit);

// Returns what to do about variables of an index on this line that min() limits, so that several
// threads have one value; empty if there is none.
std::string ifLimited(const std::string& file, int line);
// Returns the factor of the row in an index that adds `column`, the thread's number in x in the
// whole grid, if no condition of the function compares `column` alone; else nothing.
std::string lengthOfOpenRow(const std::string& file, int line, const std::string& column);

// Returns what to do about an if around this line that tests a variable which no index of the
// line uses; empty if there is none.
std::string ifTestsOther(const std::string& file, int line);

// Tests whether the function of this line stores no value to an array, and only changes its
// elements by += or atomics; the line itself does so.
bool onlyChanges(const std::string& file, int line, const std::string& array, bool byAtomic);

}  // namespace cusim
