#pragma once

#include <stdexcept>
#include <string>

namespace matrix {

// Bad input: a file, a shape, a name or an option that cannot be used. what() is one sentence for
// a person: "FILE:LINE:COLUMN: cause; remedy", with file, line and column where they apply.
// Programs print it on stderr and end with exit status 2.
class InputError : public std::runtime_error {
  public:
    explicit InputError(const std::string& sentence) : std::runtime_error(sentence) {}
};

}  // namespace matrix
