#pragma once

namespace testing {

// Returns the text of LAB_SEED, or null without one.
const char* seed();

// Makes seed() return this text, which must outlive the tests, for a caller that takes LAB_SEED out
// of the environment.
void keepSeed(const char* text);

}  // namespace testing
