// The system calls that a recording program may make, as a program for the kernel's filter
// (seccomp, in classic BPF). Any other fails with EPERM, and the signal SIGSYS reports the attempt.
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <vector>

namespace guard {

struct Rules {
    int channel;                  // the record's descriptor
    std::uintptr_t channelWrite;  // the address behind the only instruction that may write to it
    int process;                  // this process, which may send signals to its own threads
};

std::vector<sock_filter> filterFor(const Rules& rules);

// Returns the purpose of this system call in words, such as "to start another program".
const char* attemptOf(long number);

}  // namespace guard
