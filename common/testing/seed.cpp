#include "testing/seed.h"

#include <cstdlib>

namespace testing {
namespace {

// Initialized statically, so that it is set before any other object is made.
const char* kept = nullptr;

}  // namespace

const char* seed() {
    const char* const given = kept ? kept : std::getenv("LAB_SEED");
    return given && *given ? given : nullptr;
}

void keepSeed(const char* text) { kept = text; }

}  // namespace testing
