// Finds the student's line for an instruction's address, and the text of a line.
#pragma once

#include <string>
#include <vector>

#include "simulator/findings/finding.h"

namespace cusim {

struct SourceLine : Place {
    std::string function;
};

// Returns the source line of the call that returns to `returnAddress`, or an empty file. Of inlined
// functions it takes the innermost one in a file of the student.
SourceLine placeOf(const void* returnAddress);

// Returns the calling thread's callers, innermost first, without the simulator's own.
std::vector<SourceLine> callers();

// Tests whether a destructor is among the calling thread's callers, also one of the C++ library.
bool calledByDestructor();

// Returns a file's text; empty if it cannot be read or may not be shown.
std::string sourceText(const std::string& file);

// Returns one line of it without leading blanks, or empty.
std::string sourceLine(const std::string& file, int line);

}  // namespace cusim
