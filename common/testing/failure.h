// Explains a failed test to a reader who has not seen the tests, in full or in one line.
#pragma once

#include <string>
#include <vector>

#include "testing/finding.h"

namespace testing {

struct Failure {
    std::string test;                // name
    std::string explanation;         // the test's own sentences
    std::vector<std::string> named;  // the TODOs that these name, in their order
    EndOfRun end;                    // shown below the explanation
    std::vector<Finding> findings;   // in the order in which they arose
    std::string printed;             // what student code printed
    std::string begin = {};          // the TODO to begin with; empty if unknown
    std::string rule = {};           // by which it was found (see blame.h)
    bool beginsAtLine = false;       // that TODO was found by the line of a finding
    bool ofNoStep = false;           // the test's own TODO is not to blame
};

// Tests whether to begin with a TODO that is not in the test's name.
bool waitsForAnother(const Failure& failure);

// Returns the TODO or question to begin with, or nothing if none is known.
std::string beginningOf(const Failure& failure);

// Returns the line of the student's file to look at: that of a finding, else the comment of the
// TODO to begin with, or the question's answer. The line is 0 if neither is known.
Place placeToLook(const Failure& failure);

// Returns the text below the test's name: the explanation, then where to look in the student's file
// and what to read, as far as that is known.
std::string inFull(const Failure& failure);

// Returns the same with a long explanation cut.
std::string onAScreen(const Failure& failure);

// Returns the first lines of what student code printed, and how many more there are.
std::string printedBelow(const Failure& failure);

// Returns the test's name and, in brackets, what is wrong or which TODO it waits for. Cuts a long
// name to 74 columns in all, so that FAIL fits before it.
std::string inShort(const Failure& failure);

}  // namespace testing
