// Rules for an index past the end of an array that multiplies a row by the length of rows.
#pragma once

#include <cstddef>
#include <string>

#include "simulator/findings/finding.h"
#include "simulator/include/cusim/launch.h"
#include "simulator/memory/device_memory.h"

namespace cusim {

// An access past the end of an array, as input of the rules.
struct PastEnd {
    const Finding& finding;
    const KernelCall& call;
    const Allocation& array;
    std::size_t offset, bytes;
    bool ownSize;  // the student chose the size, and it is not that of a matrix
};

// Tests whether the grid has as many threads as the array elements, or no more and whole tiles, so
// that no guard is missing.
bool needsNoGuard(std::size_t elements);

// Each of the following returns a remedy if its case applies, else nothing.

// A grid that covers a matrix of as many columns as the index has rows, and as many rows as
// columns.
std::string ifGridIsExchanged(const PastEnd& access);
// A number that is added to the index, although without it the access would be inside.
std::string ifAddendIsTooMuch(const PastEnd& access);
// An array with room for one row per thread in y, but of another length, such as whole tiles.
std::string ifRowsAreShorter(const PastEnd& access);
// The row, or the column, of an index may be past the end by itself. No guard is missing.
std::string ifRowOrColumnIsPastEnd(const PastEnd& access);
// A guard may compare the row with a number of the launch that is more than the array's rows.
std::string ifMoreRowsThanRoom(const PastEnd& access);

}  // namespace cusim
