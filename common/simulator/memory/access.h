// One access by one simulated thread, as observers see it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simulator/include/cusim/access_mode.h"

namespace cusim {

enum class AccessKind : std::uint8_t { Load, Store, Atomic };

inline const char* verb(AccessKind kind) {
    return kind == AccessKind::Load ? "reads" : kind == AccessKind::Store ? "writes" : "updates";
}

// An access's instruction and kind in one word, since all accesses of one instruction are of one
// kind. Holds the return address relative to the program's code, which must be smaller than 1 GiB.
using Instruction = std::uint32_t;

// Returns the address to which all instructions are relative.
inline std::uintptr_t instructionBase() {
    // Any address of the program will do. Subtracting 512 MiB reaches as far below it as above.
    static const std::uintptr_t base =
        reinterpret_cast<std::uintptr_t>(&instructionBase) - (std::uintptr_t{1} << 29);
    return base;
}
inline const void* placeOfInstruction(Instruction instruction) {
    return reinterpret_cast<const void*>(instructionBase() + (instruction >> 2));
}
// An atomic that only holds among the threads of a block has a kind of its own in the word.
constexpr Instruction kInBlock = 1;
inline bool isInBlock(Instruction instruction) { return (instruction & 3) == 3; }
inline AccessKind kindOf(Instruction instruction) {
    return isInBlock(instruction) ? AccessKind::Atomic : static_cast<AccessKind>(instruction & 3);
}
// Hot, so the caller passes instructionBase() as `base`.
inline Instruction instructionOf(const void* place, AccessKind kind, std::uintptr_t base) {
    return static_cast<Instruction>(reinterpret_cast<std::uintptr_t>(place) - base) << 2 |
           static_cast<Instruction>(kind);
}

// The thread that makes an access, and the epoch in which it does.
struct Actor {
    std::uint32_t block = 0;      // linear in the grid
    std::uint32_t epoch = 0;      // one for each epoch; never reused
    std::uint16_t thread = 0;     // linear in the block
    std::uint16_t warpEpoch = 0;  // number of __syncwarp that the thread's warp has passed
};

}  // namespace cusim
