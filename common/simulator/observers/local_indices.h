// Compares the accesses of threads to their own stacks. If an instruction takes other elements in
// one thread than in another, in one block than in another, or in one phase than in another, an
// index is known only when the kernel runs: then a compiler cannot keep the array in registers.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "simulator/memory/access.h"

namespace cusim {

class LocalIndices {
  public:
    bool on = false;

    // A kernel has so many phases; 0 turns this off.
    void begin(std::size_t phases);
    // `fromTop` is the distance from the top of the running thread's stack.
    void onAccess(Instruction instruction, std::uintptr_t fromTop, const Actor& actor);
    // Returns the first instruction whose index depends on the thread, or 0.
    Instruction found() const { return found_; }
    // Returns an instruction whose index depends on the block or on the phase, or 0. `other` has
    // seen other blocks of the launch, whose end this is.
    Instruction changing(LocalIndices& other);

  private:
    using Places = std::vector<std::uintptr_t>;
    // The places of one thread, in the order of its accesses: in the first block, and in this one;
    // and how many each thread has made.
    struct Site {
        Places first, places;
        std::vector<std::size_t> made;
    };
    void endBlock();
    bool dependsOnPhase(const Places& places) const;

    std::map<Instruction, Site> sites_;
    std::size_t phases_ = 0;
    std::uint32_t block_ = 0;
    Instruction found_ = 0, changing_ = 0;
};

}  // namespace cusim
