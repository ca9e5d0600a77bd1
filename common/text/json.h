// Writes JSON (RFC 8259) for other programs: objects on one line, in the order in which their
// members are added.
#pragma once

#include <cstdio>
#include <string>
#include <type_traits>

namespace json {

// Returns how many bytes the UTF-8 character at text[i] has; 0 if there is none.
inline std::size_t characterAt(const std::string& text, std::size_t i) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    const unsigned lead = byte(i);
    const std::size_t length = lead < 0x80                   ? 1
                               : lead >= 0xc2 && lead < 0xe0 ? 2
                               : lead >= 0xe0 && lead < 0xf0 ? 3
                               : lead >= 0xf0 && lead < 0xf5 ? 4
                                                             : 0;
    if (length == 0 || i + length > text.size()) return 0;
    for (std::size_t at = i + 1; at < i + length; ++at)
        if ((byte(at) & 0xc0) != 0x80) return 0;
    // An overlong form, half of a surrogate pair, or a code beyond Unicode's end.
    const unsigned second = length > 1 ? byte(i + 1) : 0;
    if ((lead == 0xe0 && second < 0xa0) || (lead == 0xed && second >= 0xa0) ||
        (lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second >= 0x90))
        return 0;
    return length;
}

// Returns a text in quotes. A kernel may throw any bytes: those that are not UTF-8 become U+FFFD.
inline std::string value(const std::string& text) {
    std::string out = "\"";
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = characterAt(text, i);
        const char c = text[i];
        if (length == 0) {
            out += "\\ufffd";
        } else if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (c == '\n') {
            out += "\\n";
        } else if (static_cast<unsigned char>(c) < 0x20) {
            char code[8];
            std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
            out += code;
        } else {
            out += text.substr(i, length);
        }
        i += length == 0 ? 1 : length;
    }
    return out + '"';
}

// Returns a text, a truth value, a whole number, or an array of all in a container.
template <class T>
std::string value(const T& all) {
    if constexpr (std::is_convertible_v<const T&, std::string>) {
        return value(std::string(all));
    } else if constexpr (std::is_same_v<T, bool>) {
        return all ? "true" : "false";
    } else if constexpr (std::is_integral_v<T>) {
        return std::to_string(all);
    } else {
        std::string out = "[";
        for (const auto& one : all) out += (out.size() > 1 ? "," : "") + value(one);
        return out + "]";
    }
}

class Object {
  public:
    template <class T>
    Object& add(const char* key, const T& member) {
        members_ += (members_.empty() ? "" : ",") + value(key) + ":" + value(member);
        return *this;
    }
    std::string text() const { return "{" + members_ + "}"; }

  private:
    std::string members_;
};

inline std::string value(const Object& object) { return object.text(); }

}  // namespace json
