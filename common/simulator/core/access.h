// One access by one simulated thread, as observers see it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cusim {

enum class AccessKind : std::uint8_t { Load, Store, Atomic };

inline const char* verb(AccessKind kind) {
    return kind == AccessKind::Load ? "reads" : kind == AccessKind::Store ? "writes" : "updates";
}

// The instruction that makes an access, and what it does, in one word: all accesses of one
// instruction are of one kind. Return addresses are kept relative to the program's code, of which
// 1 GiB is enough.
using Instruction = std::uint32_t;

Instruction instructionOf(const void* place, AccessKind kind);
const void* placeOfInstruction(Instruction instruction);
inline AccessKind kindOf(Instruction instruction) {
    return static_cast<AccessKind>(instruction & 3);
}
// Hot, so the arithmetic stands here: `base` is instructionBase().
inline Instruction instructionOf(const void* place, AccessKind kind, std::uintptr_t base) {
    return static_cast<Instruction>(reinterpret_cast<std::uintptr_t>(place) - base) << 2 |
           static_cast<Instruction>(kind);
}
std::uintptr_t instructionBase();

// Who makes the access, and between which barriers.
struct Actor {
    std::uint32_t block = 0;      // linear in the grid
    std::uint32_t epoch = 0;      // one for each stretch between barriers; never used twice
    std::uint16_t thread = 0;     // linear in the block
    std::uint16_t warpEpoch = 0;  // how often the thread's warp has passed a __syncwarp
};

}  // namespace cusim
