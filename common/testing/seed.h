#pragma once

namespace testing {

// LAB_SEED as it is written; null where there is none.
const char* seed();

// From now on seed() is this text, for as long as it lives: for who takes LAB_SEED out of the
// environment.
void keepSeed(const char* text);

}  // namespace testing
