#include "testing/held_stderr_sim.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>

#include "simulator/simulator.h"

namespace testing {
namespace {

void (*listener)(const std::string& text) = nullptr;

}  // namespace

void hearPrinted(void (*other)(const std::string& text)) { listener = other; }
bool printedIsHeard() { return listener; }

HeldStderr::HeldStderr() {
    int ends[2];
    if (!listener || pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return;
    held_ = ends[0];
    std::fflush(stderr);
    kept_ = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
    dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
    cusim::messagesTo(kept_);
    cusim::kernelsPrintTo(stderr);
}

void HeldStderr::giveOut(bool lastLineToo) {
    if (held_ < 0) return;
    std::fflush(stderr);
    std::string text;
    char some[4096];
    for (ssize_t n; (n = read(held_, some, sizeof some)) > 0;)
        text.append(some, static_cast<std::size_t>(n));
    end();
    if (!text.empty() && !lastLineToo) {
        text.pop_back();
        const std::size_t newline = text.rfind('\n');
        text.erase(newline == std::string::npos ? 0 : newline + 1);
    }
    if (!text.empty()) listener(text);
}

void HeldStderr::end() {
    if (held_ < 0) return;
    std::fflush(stderr);
    // A full pipe has made the streams fail.
    std::clearerr(stderr);
    std::cerr.clear();
    cusim::messagesTo(STDERR_FILENO);
    cusim::kernelsPrintTo(nullptr);
    dup2(kept_, STDERR_FILENO);
    close(kept_);
    close(held_);
    held_ = -1;
}

}  // namespace testing
