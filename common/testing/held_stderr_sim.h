// Keeps what student code prints to stderr, and what its kernels print, until its test is reported.
// Otherwise CHECK's line about a failed call would be in the report of the test before.
#pragma once

#include <iosfwd>
#include <string>

namespace testing {

// Sets the function that receives the text; without one, nothing is held.
void listenToPrinted(void (*listener)(const std::string& text));
bool printedIsHeard();

// Holds what is printed while an object lives.
class HeldStderr {
  public:
    HeldStderr();
    ~HeldStderr() { end(); }
    HeldStderr(const HeldStderr&) = delete;
    HeldStderr& operator=(const HeldStderr&) = delete;

    // Stops holding and passes the text to the listener, without its last line unless
    // `lastLineToo`.
    void giveOut(bool lastLineToo);

  private:
    void end();

    int kept_ = -1, held_ = -1;
    std::streambuf* ofCout_ = nullptr;
};

}  // namespace testing
