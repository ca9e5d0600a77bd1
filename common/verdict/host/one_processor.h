// Keeps the process of host code on the processor of the device's: the two take turns, and nothing
// is gained by waking another processor for each message. A kernel's blocks run there as well, one
// after the other; the grader has a worker for each processor. If the system does not let a
// thread choose, it stays as it is.
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
