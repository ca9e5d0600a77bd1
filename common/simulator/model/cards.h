// What the model knows of a card, beside its limits in engine/device_profile.cpp.
#pragma once

#include <string>

namespace cusim {

struct Card {
    const char* profile;  // see useProfile
    const char* name;     // as in "on an H200"
    double megahertz;     // cycles of an SM in a microsecond, boosted
    double lanes;         // float32 multiply-adds that an SM begins in a cycle
    double accesses;      // threads whose access an SM serves in a cycle
    double memory;        // bytes a microsecond
    bool cached;          // there is a cache before the memory
};

// Returns the card of a profile; an H200 for "default", which is no card.
const Card& cardOf(const std::string& profile);

}  // namespace cusim
