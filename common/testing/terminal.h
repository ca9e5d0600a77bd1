#pragma once

#include <unistd.h>

#include <cstdlib>
#include <string>

namespace testing {

// Tests whether stdout may be coloured (https://no-color.org).
inline bool wantsColour() {
    const char* const terminal = std::getenv("TERM");
    return isatty(STDOUT_FILENO) && !std::getenv("NO_COLOR") && terminal &&
           terminal != std::string("dumb");
}

}  // namespace testing
