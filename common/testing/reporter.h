#pragma once

#include <string>
#include <vector>

#include "testing/finding.h"

namespace testing {

// Adds a finding to the running test's report, and its kind, such as "out-of-bounds", to the line
// "Findings:" that ends the report of all tests. The checks of the known mistakes compare that line
// with the findings that each mistake names.
void noteFinding(const Finding& finding);

// Adds to the TODOs that the running test's sentences name.
void noteNamed(const std::vector<std::string>& todos);

// Notes that this has ended a run; the running test fails next.
void noteEndOfRun(const EndOfRun& end);

// Adds a line to it.
void addToEndOfRun(const std::string& line);

// Reports the running test as left out, for this reason. It counts neither as passed nor as failed.
void noteLeftOut(const std::string& reason);

// Declares that the running test judges nothing before this TODO is done; its report begins there.
void noteBegin(const Todo& todo);

// Declares that the running test's own TODO is not to blame.
void noteOfNoStep();

// Adds to what the running test's student code has printed to stderr, which its report shows.
void notePrinted(const std::string& text);

// Returns how many tests have ended so far.
int testsEnded();

}  // namespace testing
