// Makes inputs for readers by changing right ones.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fuzz {

// xorshift64*: the same numbers on every machine, and fast.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed * 2 + 1) {}
    std::uint64_t operator()() {
        state_ ^= state_ >> 12, state_ ^= state_ << 25, state_ ^= state_ >> 27;
        return state_ * 0x2545F4914F6CDD1D;
    }
    // Returns a number below n.
    std::size_t below(std::size_t n) { return n == 0 ? 0 : (operator()() >> 11) % n; }

  private:
    std::uint64_t state_;
};

// Returns one of the seeds with a few changes: bytes, numbers, pieces of this and other seeds.
std::string changed(const std::vector<std::string>& seeds, Random& random);

// Returns small matrices in each form that the readers know.
std::vector<std::string> rawSeeds();
std::vector<std::string> npySeeds();

}  // namespace fuzz
