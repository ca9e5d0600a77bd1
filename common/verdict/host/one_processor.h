// Keeps the process of host code on the processor of the device's: the two take turns, and nothing
// is gained by waking another processor for each message. Where the system does not let a thread
// choose, it stays as it is.
#pragma once

namespace host {

// Keeps the calling thread, and a process that it starts, on one processor while this lives.
class OneProcessor {
  public:
    OneProcessor();
    ~OneProcessor();
    OneProcessor(const OneProcessor&) = delete;
    OneProcessor& operator=(const OneProcessor&) = delete;
};

// Lets the thread of a OneProcessor run on any processor while this lives, as a launch does, whose
// blocks run on several.
class AnyProcessor {
  public:
    AnyProcessor();
    ~AnyProcessor();
    AnyProcessor(const AnyProcessor&) = delete;
    AnyProcessor& operator=(const AnyProcessor&) = delete;
};

}  // namespace host
