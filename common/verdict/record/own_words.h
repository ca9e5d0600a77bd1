// Keeps texts that a student's program has made at run time from telling what it should not know.
#pragma once

#include <string>
#include <string_view>

#include "simulator/findings/finding.h"

namespace testing {

// Lets reports show lines of those files alone that LAB_OWN_FILES lists, with a colon between two;
// without it lines of all.
void showOwnFiles();

// Returns the beginning of an exception's text. Instead of each word that is neither in the
// files that may be shown nor CUDA's or the C++ library's stands "...".
std::string inOwnWords(std::string_view text);

// Leaves of a finding's place, source line and assertion what is in a file that may be shown.
void keepOwn(cusim::Finding& finding);

}  // namespace testing
