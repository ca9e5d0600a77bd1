// The device on which tests run: the simulated device or a card. Tests of values see no other
// difference between the two.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "testing/finding.h"
#include "testing/outputs.h"

namespace device {

struct Problem {
    testing::Finding finding;
    std::string text;  // for people; ends in a newline
};

struct Outcome {
    enum How { Returned, Exited, Threw, Faulted } how = Returned;
    int exitStatus = 0;
    std::string message;
    // Set after a failed call, see cusim::Outcome.
    std::string failedCall = {};
    testing::Place at = {};
    bool failedInDestructor = false;
    std::vector<Problem> problems = {};

    // Tests whether the code reported an error to its caller: exit(0) means success.
    bool isError() const { return how == Threw || (how == Exited && exitStatus != 0); }
};

// Runs the code on a device without allocated memory or pending errors, and returns how it ended.
// A crash on a card ends the tests, because the process cannot continue.
Outcome run(const lab::Outputs& outputs, const std::function<void()>& studentCode);
inline Outcome run(const std::function<void()>& studentCode) {
    return run(lab::gives(), studentCode);
}

// Do the two halves of run(), for tests that change the device in between. runQuietly() hides what
// the code prints to stderr, because the test itself may have caused the error.
void reset();
Outcome runQuietly(const lab::Outputs& outputs, const std::function<void()>& studentCode);

// Stops endless code sooner, for programs whose runs are small.
void expectShortRuns();

// Stops the simulated device from observing warps while an object lives, which saves half of the
// time of some tests. Other counts and findings stay the same.
class WithoutWarps {
  public:
    WithoutWarps();
    ~WithoutWarps();
    WithoutWarps(const WithoutWarps&) = delete;
    WithoutWarps& operator=(const WithoutWarps&) = delete;

  private:
    [[maybe_unused]] int kept_ = 0;
};

// Lets the simulated device run only the last block of each launch while an object lives. A card
// runs them all.
class LastBlockOnly {
  public:
    LastBlockOnly();
    ~LastBlockOnly();
    LastBlockOnly(const LastBlockOnly&) = delete;
    LastBlockOnly& operator=(const LastBlockOnly&) = delete;
};

// Returns how many copies, each row alone, and launches the last run made; 0 on a card.
std::size_t steps();

// Returns whether the last run launched a kernel; true on a card.
bool hasLaunched();

// Passes what student code prints to stderr to the listener at the end of the call, and does not
// show it. Leaves out CHECK's line on a failed call if a finding or message reports it. On a card
// stderr is shown as it is, because student code may end the program there.
void listenToPrinted(void (*listener)(const std::string& text));

// Describes the shape of a row-major float matrix in host memory, so that findings can name rows
// and columns. `host` is null for a matrix that does not exist yet.
void describeMatrix(const void* host, int rows, int cols);

void forgetMatrices();

// Counts the values that no kernel of the last run has stored; 0 on a card, which does not know.
std::size_t notStoredByKernels(const matrix::Matrix& values);

// Returns "the simulated device" or the card's name.
std::string name();

}  // namespace device
