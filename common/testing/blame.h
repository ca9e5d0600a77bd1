// Finds the TODO to begin with for a failed test that is named after another one. The first test
// that runs the code meets the finding that ends the run, whatever that test is about; the
// finding's line is better evidence than the name.
#pragma once

#include <set>
#include <string>

#include "testing/failure.h"

namespace testing {

// The TODO to begin with, such as "TODO(9)", and the rule that has decided it. The TODO may be the
// test's own; it is empty if the finding does not show it.
struct Blame {
    std::string todo, rule;
};

// Applies the rules of blame.cpp in their order. A TODO whose tests have passed (`passed`) is never
// blamed for a failure in a test of another TODO.
Blame blameOf(const Failure& failure, const std::set<std::string>& passed);

// Tests whether the first finding belongs to no TODO, wherever its line is. That is so for a
// barrier that some threads do not reach, if the handout explains barriers outside of its steps.
bool ofNoTodo(const Failure& failure);

// Tests whether the TODO of the finding that has ended the run is unknown: its line is in a file
// without the comments of the TODOs, or it reads what another line should have set.
bool isUnknown(const Failure& failure);

// Returns the lines of the race that a failed test met first, as in "38 34 "; empty if the
// first finding is no race.
std::string linesOfRace(const Failure& failure);

// Returns the TODOs that begin a test's name, to which it belongs: both for
// "TODO(1) and TODO(2): ...".
std::vector<std::string> todosOfName(const std::string& test);

// Returns the first line of the file under test that the findings name, or 0.
int lineNamed(const Failure& failure);

}  // namespace testing
