#pragma once

#include <cstdlib>
#include <string>

namespace testing {

// Returns the value of a variable of the environment, empty without one.
inline std::string fromEnvironment(const char* name) {
    const char* const value = std::getenv(name);
    return value ? value : "";
}

}  // namespace testing
