#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "text/joined.h"

namespace matrix {

// Bad input: a file, a shape, a name or an option that cannot be used. what() is one sentence for
// a person: "FILE:LINE:COLUMN: cause; remedy", with file, line and column if they apply.
// Programs print it on stderr and end with exit status 2.
class InputError : public std::runtime_error {
  public:
    // The parts of the sentence are texts and numbers.
    template <class... Parts>
    explicit InputError(const Parts&... parts) : std::runtime_error(words::joined(parts...)) {}
};

// Quotes text for a message: at most 24 bytes, the unprintable ones as '?'.
inline std::string quoted(std::string_view text) {
    constexpr std::size_t kLongest = 24;
    std::string shown = "'";
    for (const char c : text.substr(0, kLongest)) shown += (c >= ' ' && c <= '~') ? c : '?';
    return shown + (text.size() > kLongest ? "...'" : "'");
}

}  // namespace matrix
