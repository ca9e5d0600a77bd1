// Writes the results of a test program for other programs. With LAB_RESULTS=FILE in the environment
// each test gets one JSON object (RFC 8259) on one line, in the order of running:
//
//   {"part":"lab1_naive/kernel","test":"TODO(1): ...","status":"failed","findings":["race"],
//    "explanation":"what the report shows under FAIL, without colours"}
//
// `status` is passed, failed or left out; `part` comes from LAB_PART. A failed test that waits for
// another TODO than its own has "begin":"TODO(9)" before its explanation. A complete run has a last
// line {"end":true,"passed":17,"failed":0,"left_out":0}. A failed test continues with
//
//   "todo":"TODO(4)","file":"lab1_naive/kernel.cu","line":31,
//   "found":[{"kind":"race","file":"lab1_naive/kernel.cu","line":31,"others":[{"file":...}],
//             "kernel":"matrixMulKernel","thread":[0,1,0],"block":[2,0,0],"details":["..."],
//             "remedy":"Give each thread an element of its own ..."}]
//
// `todo` is what to begin with ("Q3" for a question), `file` and `line` say where to look, `found`
// has the first 20 findings in their order. Members other than `kind` and `found` are left out if
// they are unknown; only an early exit has `failed_call`.
//
// FILE.new exists from the beginning of the tests, and becomes FILE at their end. A run of some of
// the tests writes nothing, so that the results of all of them stay, unless run_tests.py has set
// LAB_RUNNER=1.
#pragma once

#include <fstream>
#include <string>

#include "testing/failure.h"

namespace testing {

enum class Status { Passed, Failed, LeftOut };

class ResultsFile {
  public:
    // Writes nothing unless `wanted`.
    explicit ResultsFile(bool wanted);

    void runBegan();

    // Writes the line of a test. `explanation` is what the report shows below the test's name.
    void testEnded(const Failure& test, Status status, const std::string& explanation);

    // Gives the file its name, or reports on stderr that it cannot be written. Leaves out the last
    // line if the run is incomplete.
    void runEnded(bool complete);

  private:
    void giveUp();

    std::string file_, part_;
    std::ofstream out_;
    int counts_[3] = {0, 0, 0};
};

// Tests whether wanted results could not be written.
bool resultsLost();

}  // namespace testing
