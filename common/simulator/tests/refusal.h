// What translate says of a file that it refuses; empty where it takes it.
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
