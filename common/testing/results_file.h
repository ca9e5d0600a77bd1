// The results of a test program for other programs: with LAB_RESULTS=FILE in the environment, one
// JSON object (RFC 8259) a line for each test, in the order of running,
//
//   {"part":"lab1_naive/kernel","test":"TODO(1): ...","status":"failed","findings":["race"],
//    "explanation":"what the report shows under FAIL, without colours"}
//
// a failed test that waits for another TODO than its own with that one, "begin":"TODO(9)", in front
// of its explanation, and, only where the run came to its end, a last line
// {"end":true,"passed":17,"failed":0, "left_out":0}. `status` is passed, failed or left out; `part`
// comes from LAB_PART. A failed test goes on with
//
//   "todo":"TODO(4)","file":"lab1_naive/kernel.cu","line":31,
//   "found":[{"kind":"race","file":"lab1_naive/kernel.cu","line":31,"others":[{"file":...}],
//             "kernel":"matrixMulKernel","thread":[0,1,0],"block":[2,0,0],"details":["..."],
//             "remedy":"Give each thread an element of its own ..."}]
//
// `todo` is what to begin with (a question's is "Q3"), `file` and `line` say where to look, `found`
// holds the first 20 findings in their order; all but `kind` and `found` stand only where they are
// known, `failed_call` only with an early exit.
//
// FILE.new is there when the tests begin, and FILE in its place when they have ended. A run of some
// of the tests writes nothing, so that it does not replace the results of all of them; run_tests.py
// sets LAB_RUNNER=1, and then it does.
#pragma once

#include <fstream>
#include <string>

#include "testing/failure.h"

namespace testing {

enum class Status { Passed, Failed, LeftOut };

class ResultsFile {
  public:
    explicit ResultsFile(bool wanted);

    void runBegan();

    // `explanation`: what the report shows below the test's name.
    void testEnded(const Failure& test, Status status, const std::string& explanation);

    // Gives the file its name, or says on stderr that it cannot be written. A run that broke off
    // leaves it without its last line.
    void runEnded(bool complete);

  private:
    void giveUp();

    std::string file_, part_;
    std::ofstream out_;
    int counts_[3] = {0, 0, 0};
};

// Whether results were asked for that could not be written.
bool resultsLost();

}  // namespace testing
