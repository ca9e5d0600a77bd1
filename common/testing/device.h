// The device under the tests, simulated or real: the only place in which the two differ for tests
// of values.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "testing/finding.h"
#include "testing/outputs.h"

namespace device {

struct Problem {
    testing::Finding finding;
    std::string text;  // for people, ends in a line end
};

struct Outcome {
    enum How { Returned, Exited, Threw, Faulted } how = Returned;
    int exitStatus = 0;
    std::string message;
    // Of an exit behind a call that had failed, see cusim::Outcome.
    std::string failedCall = {};
    testing::Place at = {};
    std::vector<Problem> problems = {};
};

// Starts from a device with no memory allocated and no error pending, runs the code, and tells
// how it ended. A real device cannot catch exit() or a crash; there they end the tests.
Outcome run(const std::function<void()>& studentCode, const lab::Outputs& outputs = lab::gives());

// The two halves of run, for tests that change the device in between. What the code prints about
// an error that the test itself provoked is not shown.
void reset();
Outcome runQuietly(const std::function<void()>& studentCode,
                   const lab::Outputs& outputs = lab::gives());

// For programs that give verdicts on small runs: what does not come to an end is stopped sooner.
void expectShortRuns();

// While one of these lives, nobody asks what single warps did: the simulated device does not look
// at them, which saves half of the time of some tests. What is counted, and what is found, stays
// the same.
class WithoutWarps {
  public:
    WithoutWarps();
    ~WithoutWarps();
    WithoutWarps(const WithoutWarps&) = delete;
    WithoutWarps& operator=(const WithoutWarps&) = delete;

  private:
    [[maybe_unused]] int kept_ = 0;
};

// What student code prints to stderr is given to this function when the call has ended, and not
// shown; less what CHECK says of a call that failed, where that is told otherwise. A real device,
// on which student code may end the program, leaves it as it is.
void hearPrinted(void (*listener)(const std::string& text));

// Tells the shape of a matrix in host memory, or with a null pointer that there will be one, so
// that problems can name rows and columns.
void describeMatrix(const void* host, int rows, int cols);

void forgetMatrices();

// How many of these values are known to be none that a kernel of the last run has stored.
std::size_t notStoredByKernels(const matrix::Matrix& values);

// "the simulated device" or the card's name.
std::string name();

}  // namespace device
