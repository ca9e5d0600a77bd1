// The system calls that a recording program may make, as a program for the kernel's filter
// (seccomp, in classic BPF). Whatever is not among them is refused: the call fails with EPERM, and
// the attempt is told by the signal SIGSYS.
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <vector>

namespace guard {

struct Rules {
    int channel;                  // the descriptor that the record goes to
    std::uintptr_t channelWrite;  // where the one instruction ends that may write to it
    int process;                  // this process, which may send signals to its own threads
};

std::vector<sock_filter> filterFor(const Rules& rules);

// What a program attempts by this system call, such as "to start another program".
const char* attemptOf(long number);

}  // namespace guard
