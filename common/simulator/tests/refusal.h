// What translate makes of texts, for tests that go through many of them.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "simulator/translate/translate.h"
#include "testing/catch.h"

inline bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

// Returns the message with which translate refuses a file, or nothing if it accepts the file.
inline std::string refusal(const std::string& text, const std::string& file = "k.cu") {
    try {
        translate::translate(text, file);
        return "";
    } catch (const translate::TranslationError& error) {
        return error.what();
    }
}

// Checks that translate refuses each text between `before` and `after` with this message.
inline void checkRefused(const std::string& message, const std::string& before,
                         const std::vector<std::string>& texts, const std::string& after) {
    for (const std::string& text : texts) {
        INFO(before + text + after);
        CHECK(refusal(before + text + after) == message);
    }
}

// Checks that translate accepts each text between `before` and `after`.
inline void checkAccepted(const std::vector<std::string>& texts, const std::string& before = "",
                          const std::string& after = "") {
    checkRefused("", before, texts, after);
}

// Returns all that stands between `before` and `after`.
inline std::vector<std::string> allBetween(const std::string& text, const std::string& before,
                                           const std::string& after) {
    std::vector<std::string> found;
    for (std::size_t at = text.find(before); at != std::string::npos; at = text.find(before, at)) {
        at += before.size();
        found.push_back(text.substr(at, text.find(after, at) - at));
    }
    return found;
}

// Returns the translation without its first lines, which every file gets.
inline std::string body(const std::string& text) {
    const std::string prefix = "#include <cuda_runtime.h>\n#line 1 \"k.cu\"\n";
    const std::string whole = translate::translate(text, "k.cu");
    REQUIRE(whole.substr(0, prefix.size()) == prefix);
    std::string rest = whole.substr(prefix.size());
    INFO(rest);
    CHECK(std::count(rest.begin(), rest.end(), '\n') == std::count(text.begin(), text.end(), '\n'));
    return rest;
}
