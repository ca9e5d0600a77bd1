// The channel by which the record leaves the student's process.
#pragma once

#include <string_view>

namespace testing {

// Writes all of the bytes, or ends the program: what is not in the record counts as not done.
void writeToChannel(std::string_view bytes);

}  // namespace testing
