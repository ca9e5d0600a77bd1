#pragma once

#include <string>

namespace testing {

// A text as it stands below a test's name: indented, in at most 80 columns. A line that is too
// long is broken between words, and goes on in the next one if that begins in the same column.
std::string below(const std::string& text);

// A test's name, or another line, as it stands behind the six columns of "FAIL  ": where it is too
// long it goes on in that column of the next line.
std::string headline(const std::string& name);

}  // namespace testing
