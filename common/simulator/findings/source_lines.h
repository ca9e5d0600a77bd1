// Finds the student's line for an instruction's address, and the text of a line.
#pragma once

#include <string>
#include <vector>

#include "simulator/findings/finding.h"

namespace cusim {

struct SourceLine : Place {
    std::string function;
};

// Returns the place of the call that returns to `returnAddress`, or an empty file. For inlined
// functions it takes the innermost in a file of the student's.
SourceLine placeOf(const void* returnAddress);

// Returns the calling thread's callers, innermost first, without the simulator's own.
std::vector<SourceLine> callers();

// Tests whether a destructor is among the calling thread's callers, also one of the C++ library's.
bool calledByDestructor();

// Returns a file's text; empty if it cannot be read or may not be shown.
std::string sourceText(const std::string& file);

// Returns the text of one line without leading blanks; empty if the file cannot be
// read or may not be shown.
std::string sourceLine(const std::string& file, int line);

}  // namespace cusim
