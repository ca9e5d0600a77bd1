// The system calls that a recording program may make, as a program for the kernel's filter
// (seccomp, in classic BPF). Any other fails with EPERM, and the signal SIGSYS reports the attempt.
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <vector>

namespace guard {

struct Rules {
    int channel;  // the record's descriptor
    // The address after the only instruction that may write to it; 0: none may.
    std::uintptr_t channelWrite = 0;
    // The process that runs student host code, which may send signals only to its own threads; 0:
    // the process that starts it, in which only kernels run, which make no system calls.
    int process = 0;
};

std::vector<sock_filter> filterFor(const Rules& rules);

// Returns the purpose of this system call in words, such as "to start another program".
const char* attemptOf(long number);

}  // namespace guard
