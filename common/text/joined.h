// Composes sentences.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>

namespace words {

// Returns the parts as one text: texts and characters as they are, numbers in decimal.
template <class... Parts>
std::string joined(const Parts&... parts) {
    std::string all;
    const auto add = [&all](const auto& part) {
        using Part = std::decay_t<decltype(part)>;
        if constexpr (std::is_arithmetic_v<Part> && !std::is_same_v<Part, char>)
            all += std::to_string(part);
        else
            all += part;
    };
    (add(parts), ...);
    return all;
}

// Returns a count with its noun: "1 byte", "2 bytes".
inline std::string counted(unsigned long long count, const char* word) {
    return joined(count, " ", word, count == 1 ? "" : "s");
}

}  // namespace words
