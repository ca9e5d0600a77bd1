// Makes text from a student's process fit for a person's terminal.
#pragma once

#include <string>
#include <string_view>

namespace testing {

// Replaces each control character, which a terminal would obey, by '?', also those of UTF-8 (U+0080
// to U+009F). Keeps newlines if `linesAllowed`.
inline std::string printable(std::string_view text, bool linesAllowed = false) {
    std::string out(text);
    for (std::size_t i = 0; i < out.size(); ++i) {
        const auto byte = static_cast<unsigned char>(out[i]);
        const auto before = i > 0 ? static_cast<unsigned char>(out[i - 1]) : 0;
        if (linesAllowed && byte == '\n') continue;
        if (byte < 0x20 || byte == 0x7f || (before == 0xc2 && byte >= 0x80 && byte < 0xa0)) {
            out[i] = '?';
            if (byte >= 0x80) out[i - 1] = '?';
        }
    }
    return out;
}

}  // namespace testing
