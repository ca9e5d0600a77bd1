// The numbers and words with which students write an answers.h.
#pragma once

#include <cmath>
#include <limits>

using Answer = double;

// Differs from every number, and so from every answer.
constexpr Answer UNANSWERED = std::numeric_limits<double>::quiet_NaN();

// Words. Their values are unlikely as numbers.
constexpr Answer yes = -1e300, no = -2e300;
constexpr Answer memory_bound = -3e300, compute_bound = -4e300;

namespace answers {

// Returns the answer of this name, as in answers::valueOf("Q1_loads"), or UNANSWERED. The lab's
// answers/read.cpp defines it; tests have no other way to an answer.
double valueOf(const char* name);

}  // namespace answers
