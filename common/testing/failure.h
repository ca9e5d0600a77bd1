// A failed test, told to somebody who has not seen the tests: in full, or in one line.
#pragma once

#include <string>
#include <vector>

#include "testing/finding.h"

namespace testing {

struct Failure {
    std::string test;               // its name
    std::string explanation;        // what the test says
    EndOfRun end;                   // told below the explanation
    std::vector<Finding> findings;  // in the order in which they were found
    std::string printed;            // by student code, to stderr
    std::string begin;              // the TODO to begin with, where something says which,
    bool beginsAtLine = false;      // as the line of the finding does
};

// Whether to begin with another TODO than that of the test's name.
bool waitsForAnother(const Failure& failure);

// The TODO or question to begin with; empty where none is known.
std::string beginningOf(const Failure& failure);

// Where in the student's file to look: at a finding's line, or else at the comment of the TODO to
// begin with. No line where neither is known.
Place placeToLook(const Failure& failure);

// The explanation, then where in the student's file to look and what to read, as far as that is
// known; as it stands below the test's name.
std::string inFull(const Failure& failure);

// The same, where a long explanation is cut.
std::string onAScreen(const Failure& failure);

// The test's name and, in brackets, what is wrong or which TODO it waits for; 74 columns at most,
// so that FAIL fits before it. A name that is too long is cut.
std::string inShort(const Failure& failure);

}  // namespace testing
