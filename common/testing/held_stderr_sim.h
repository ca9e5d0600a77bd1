// What student code prints to stderr, kept until its test is told: CHECK's line about a call that
// failed would otherwise stand in the report of the test before.
#pragma once

#include <string>

namespace testing {

// Nothing is held, and all is printed at once, for as long as nobody wants to hear it.
void hearPrinted(void (*listener)(const std::string& text));
bool printedIsHeard();

// Holds what is printed from its beginning to its end; of more than a pipe takes, the beginning.
class HeldStderr {
  public:
    HeldStderr();
    ~HeldStderr() { end(); }
    HeldStderr(const HeldStderr&) = delete;
    HeldStderr& operator=(const HeldStderr&) = delete;

    // Prints again where it was before, and gives what was printed meanwhile to the listener, less
    // its last line where that says only what somebody else says better.
    void giveOut(bool lastLineToo);

  private:
    void end();

    int kept_ = -1, held_ = -1;
};

}  // namespace testing
