// With which TODO to begin, where a failed test is named after another one. A finding that ends a
// run is met by the first test that runs the code, whatever that test is about; the line of the
// finding says more.
#pragma once

#include <set>
#include <string>

#include "testing/failure.h"

namespace testing {

// "TODO(9)", which may be that of the test's own name; empty where the finding does not say. Whose
// tests have passed (`passed`) is not to blame for what a test of another TODO meets.
std::string todoToBlame(const Failure& failure, const std::set<std::string>& passed);

// Whether what was found first is of no TODO, wherever its line stands: a barrier to which not all
// threads come, where the handout tells of barriers in a section of its own, beside the steps.
bool ofNoTodo(const Failure& failure);

// The lines of the race that a failed test has met first, "38 34 "; empty where it is none.
std::string linesOfRace(const Failure& failure);

// The TODOs that a text names, each once, in the order of the text.
std::vector<std::string> todosIn(const std::string& text);

// The TODOs that a test is named after: of "TODO(1) and TODO(2): ..." both.
std::vector<std::string> todosOfName(const std::string& test);

// The line of the file under test that the findings name first; 0 where they name none.
int lineNamed(const Failure& failure);

}  // namespace testing
