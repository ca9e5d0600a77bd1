#pragma once

#include <string>

#include "testing/finding.h"

namespace testing {

// Adds a finding to the running test's report, and its kind, such as "out-of-bounds", to the line
// "Findings:" that ends the report of all tests. The checks of the known mistakes compare that line
// with what each mistake says of itself.
void noteFinding(const Finding& finding);

// The running test fails now, as this has ended a run.
void noteEndOfRun(const EndOfRun& end);

// The running test is reported as left out, for this reason, and counts neither as passed nor as
// failed.
void noteLeftOut(const std::string& reason);

// The running test judges nothing before this TODO is done: where it fails, begin there.
void noteBegin(const std::string& todo);

// What the running test's student code has printed to stderr; shown with the test.
void notePrinted(const std::string& text);

// How many tests have ended so far.
int testsEnded();

}  // namespace testing
