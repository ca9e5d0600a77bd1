// Finds the TODO to which a line of a student's file belongs: the nearest TODO comment above it in
// the same function. That works if the student has kept the skeleton's comments.
#pragma once

#include <string>
#include <vector>

namespace testing {

// Returns, for example, "TODO(9)". Returns nothing if the line's function has no TODO above it, or
// if the file lacks one of the part's TODOs (`all`) that could be in between.
std::string todoOfLine(const std::string& file, int line, const std::vector<std::string>& all);

// Returns the first TODO without code below its comment, from this one to the end of its function;
// or nothing.
std::string firstWithoutCode(const std::string& file, const std::string& from);

// Returns the line on which the comment of "TODO(9)" begins, or on which the answer "Q3_loads", or
// the first answer to "Q3", is declared; or 0.
int lineOf(const std::string& subject, const std::string& file);

}  // namespace testing
