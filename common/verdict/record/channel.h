// The way of the record out of the student's process.
#pragma once

#include <string_view>

namespace testing {

// Writes all of the bytes, or ends the program, because what is not written counts as not done.
void writeToChannel(std::string_view bytes);

}  // namespace testing
