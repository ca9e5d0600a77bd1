// Keeps what student code prints to stderr, by printf() and to std::cout, and its kernels at all,
// until its test is reported. Otherwise CHECK's line about a failed call would stand in the report
// of the test before.
#pragma once

#include <iosfwd>
#include <string>

namespace testing {

// Sets the function that receives the text; without one, nothing is held.
void hearPrinted(void (*listener)(const std::string& text));
bool printedIsHeard();

// Holds what is printed while an object lives.
class HeldStderr {
  public:
    HeldStderr();
    ~HeldStderr() { end(); }
    HeldStderr(const HeldStderr&) = delete;
    HeldStderr& operator=(const HeldStderr&) = delete;

    // Ends the holding and passes the text to the listener, without its last line unless
    // `lastLineToo`.
    void giveOut(bool lastLineToo);

  private:
    void end();

    int kept_ = -1, held_ = -1;
    std::streambuf* ofCout_ = nullptr;
};

}  // namespace testing
