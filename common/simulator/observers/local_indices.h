// Compares the accesses of a block's threads to their own stacks. If an instruction takes another
// element in one thread than in another, an index depends on the thread: then a compiler cannot
// keep the array in registers.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "simulator/memory/access.h"

namespace cusim {

class LocalIndices {
  public:
    bool on = false;

    void begin(bool isOn);
    // `fromTop` is the distance from the top of the running thread's stack.
    void onAccess(Instruction instruction, std::uintptr_t fromTop, const Actor& actor);
    // Returns the first instruction whose index depends on the thread, or 0.
    Instruction found() const { return found_; }

  private:
    // The places of one thread, in the order of its accesses, and how many each thread has made.
    struct Site {
        std::vector<std::uintptr_t> places;
        std::vector<std::size_t> made;
    };
    std::map<Instruction, Site> sites_;
    std::uint32_t block_ = 0;
    Instruction found_ = 0;
};

}  // namespace cusim
