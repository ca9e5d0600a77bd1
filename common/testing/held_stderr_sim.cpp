#include "testing/held_stderr_sim.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <iostream>

#include "simulator/simulator.h"

namespace testing {
namespace {

void (*listener)(const std::string& text) = nullptr;

}  // namespace

void listenToPrinted(void (*other)(const std::string& text)) { listener = other; }
bool printedIsHeard() { return listener; }

HeldStderr::HeldStderr() {
    if (listener) held_ = memfd_create("printed", MFD_CLOEXEC);
    if (held_ < 0) return;
    std::fflush(stderr);
    kept_ = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
    dup2(held_, STDERR_FILENO);
    ofCout_ = std::cout.rdbuf(std::cerr.rdbuf());
    cusim::messagesTo(kept_);
    cusim::printTo(stderr);
}

void HeldStderr::giveOut(bool lastLineToo) {
    if (held_ < 0) return;
    std::fflush(stderr);
    std::string text(static_cast<std::size_t>(lseek(held_, 0, SEEK_END)), '\0');
    if (pread(held_, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) text = "";
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
    std::cout.rdbuf(ofCout_);
    cusim::messagesTo(STDERR_FILENO);
    cusim::printTo(nullptr);
    dup2(kept_, STDERR_FILENO);
    close(kept_);
    close(held_);
    held_ = -1;
}

}  // namespace testing
