// Keeps texts that a student's program makes at run time from showing hidden data.
#pragma once

#include <string>
#include <string_view>

#include "simulator/findings/finding.h"

namespace testing {

// Lets reports show only lines of the files in LAB_OWN_FILES, with colons between them; without it,
// lines of all files.
void showOwnFiles();

// Returns the beginning of an exception's text. "..." replaces each word that is neither in the
// files that may be shown nor a word of CUDA or the C++ library.
std::string inOwnWords(std::string_view text);

// Removes from a finding's place, source line and assertion what is in no file that may be shown.
void keepOwn(cusim::Finding& finding);

}  // namespace testing
