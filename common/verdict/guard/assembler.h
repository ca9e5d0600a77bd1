// Builds programs in classic BPF, the form of the kernel's filter of system calls
// (linux/seccomp.h), from the few instructions that a list of rules needs.
#pragma once

#include <linux/filter.h>
#include <linux/seccomp.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace guard {

class Assembler {
  public:
    void load(std::size_t offset) {
        add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
    }
    // The kernel uses only the lower half of descriptors and flags.
    void loadArgument(int i) { load(argument(i)); }
    void loadUpperHalf(int i) { load(argument(i) + sizeof(std::uint32_t)); }
    void mask(std::uint32_t bits) { add(BPF_ALU | BPF_AND | BPF_K, bits); }

    void end(std::uint32_t verdict) { add(BPF_RET | BPF_K, verdict); }
    void endIf(std::uint32_t value, std::uint32_t verdict) {
        add(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
        end(verdict);
    }
    void endUnless(std::uint32_t value, std::uint32_t verdict) {
        add(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0);
        end(verdict);
    }
    // Runs the instructions that `body` adds for this system call only; they must end the program.
    template <class Body>
    void onCall(long number, const Body& body) {
        load(offsetof(seccomp_data, nr));
        const std::size_t jump = code_.size();
        add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number));
        body();
        code_[jump].jf = static_cast<std::uint8_t>(code_.size() - jump - 1);
    }

    const std::vector<sock_filter>& code() const { return code_; }

  private:
    static std::size_t argument(int i) {
        return offsetof(seccomp_data, args) + sizeof(std::uint64_t) * static_cast<std::size_t>(i);
    }
    void add(int code, std::uint32_t k, std::uint8_t jt = 0, std::uint8_t jf = 0) {
        code_.push_back({static_cast<std::uint16_t>(code), jt, jf, k});
    }

    std::vector<sock_filter> code_;
};

}  // namespace guard
