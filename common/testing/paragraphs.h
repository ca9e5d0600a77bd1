#pragma once

#include <string>

namespace testing {

// Returns a text as it stands below a test's name: indented, in at most 80 columns. Breaks a long
// line between words; its rest joins the next line if that begins in the same column.
std::string below(const std::string& text);

// Returns a line as it stands after the six columns of "FAIL  ". A long one goes on below, in the
// same column.
std::string headline(const std::string& name);

}  // namespace testing
