#include "simulator/memory/access.h"

namespace cusim {

std::uintptr_t instructionBase() {
    // Any address of the program will do. Subtracting 512 MiB reaches as far below it as above.
    static const std::uintptr_t base =
        reinterpret_cast<std::uintptr_t>(&instructionBase) - (std::uintptr_t{1} << 29);
    return base;
}

Instruction instructionOf(const void* place, AccessKind kind) {
    return instructionOf(place, kind, instructionBase());
}

const void* placeOfInstruction(Instruction instruction) {
    return reinterpret_cast<const void*>(instructionBase() + (instruction >> 2));
}

}  // namespace cusim
