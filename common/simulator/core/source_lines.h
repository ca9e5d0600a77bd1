// From an instruction's address to the student's line, and from a line to its text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cusim {

struct SourcePlace {
    std::string file;
    int line = 0;
    std::string function;
};

// The place of the call that returns to `returnAddress`; an empty file where there is none. Of
// inlined functions, the innermost that stands in a file of the student's.
SourcePlace placeOf(const void* returnAddress);

// The calling thread's callers, innermost first, without those of the simulator itself.
std::vector<SourcePlace> callers();

// The text of one line without leading blanks; empty where the file cannot be read.
std::string sourceLine(const std::string& file, int line);

}  // namespace cusim
