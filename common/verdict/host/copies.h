// Wipes copies of a call's matrices that lie about in the memory of a process: what a test has
// freed keeps its bytes, and a process that is begun as a copy has them.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "testing/outputs.h"

namespace host {

// Start and end of a piece of memory.
using Range = std::pair<std::uintptr_t, std::uintptr_t>;

// Returns the pages in use that this process alone can write, but of what is too large to be the
// tests'.
// Throws std::runtime_error where the system does not tell it.
std::vector<Range> ownMemory();

class Copies {
  public:
    // Takes the matrices that the call reads and gives.
    explicit Copies(const lab::Outputs& outputs);

    // Writes zeros over each four words that stand so in a matrix; leaves out pages that are not
    // there any more, and matrices that are smaller than any that counts. Forgets the matrices.
    void wipe(const std::vector<Range>& memory);

  private:
    bool has(const char* four) const;

    std::vector<std::uint64_t> all_;  // of each four words a hash, in order
    std::vector<bool> seen_;          // by the first digits of each hash
};

}  // namespace host
