// Wipes copies of a call's matrices in the memory of a process: memory that a test has freed keeps
// its bytes, and a forked process has them.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "testing/outputs.h"

namespace host {

// Start and end of a piece of memory.
using Range = std::pair<std::uintptr_t, std::uintptr_t>;

// Returns the pages in use that only this process can write, without ranges too large for the
// tests. Throws std::runtime_error if the system does not report them.
std::vector<Range> ownMemory();

class Copies {
  public:
    // Takes the matrices that the call reads and returns.
    explicit Copies(const lab::Outputs& outputs);

    // Writes zeros over each four words that are also in a matrix, in this order. Leaves out pages
    // that are unmapped by now, and matrices that are too small to count. Forgets the matrices.
    void wipe(const std::vector<Range>& memory);

  private:
    bool has(const char* four) const;

    std::vector<std::uint64_t> all_;  // of each four words a hash, in order
    std::vector<bool> seen_;          // by the first digits of each hash
};

}  // namespace host
