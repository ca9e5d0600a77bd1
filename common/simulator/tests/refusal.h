// Returns the message with which translate refuses a file, or nothing if it accepts the file.
#pragma once

#include <string>

#include "simulator/translate/translate.h"

inline std::string refusal(const std::string& text) {
    try {
        translate::translate(text, "k.cu");
        return "";
    } catch (const translate::TranslationError& error) {
        return error.what();
    }
}
