// Where the record goes.
#pragma once

#include <string_view>

namespace testing {

// All of it, or the program ends: what is not written has not happened.
void writeToChannel(std::string_view bytes);

}  // namespace testing
