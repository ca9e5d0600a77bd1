// Which TODO of a student's file a line belongs to: the nearest TODO comment above it within the
// same function, where the skeleton's comments are kept.
#pragma once

#include <string>
#include <vector>

namespace testing {

// "TODO(9)"; empty where that is not known: the line's function has no TODO above it, or one of the
// part's TODOs (`all`) that could stand in between is gone from the file.
std::string todoOfLine(const std::string& file, int line, const std::vector<std::string>& all);

// The line on which the comment of "TODO(9)", or of a question such as "Q3", begins; 0 where there
// is none.
int lineOf(const std::string& subject, const std::string& file);

}  // namespace testing
