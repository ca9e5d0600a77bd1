#pragma once

#include <string>

namespace testing {

// A text as it stands below a test's name: indented, in at most 80 columns. A line that is too
// long is broken between words, and goes on in the next one if that begins in the same column.
std::string below(const std::string& text);

}  // namespace testing
