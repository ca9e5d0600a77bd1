#include "simulator/explain/out_of_bounds.h"
#include "simulator/hooks/looks.h"

namespace cusim {
namespace {

// Tests whether a store changes the return address of a function that has aligned its stack: such a
// frame begins with a copy of that address, and has saved the location of the original.
bool changesAligned(const Worker& worker, std::uintptr_t frame, std::uintptr_t address,
                    std::size_t bytes) {
    constexpr std::size_t kWord = sizeof(std::uintptr_t);
    if (address + bytes <= belowSaved(frame)) return false;
    const auto wordAt = [](std::uintptr_t at) { return *reinterpret_cast<std::uintptr_t*>(at); };
    const auto changes = [&](std::uintptr_t word) {
        return address < word + kWord && word < address + bytes;
    };
    for (std::size_t i = 1; i <= kSavedRegisters; ++i) {
        const std::uintptr_t returns = wordAt(frame - i * kWord) - kWord;
        if (returns >= frame + kSavedBytes && returns % kWord == 0 &&
            returns - worker.stackLow < worker.stackBytes &&
            wordAt(returns) == wordAt(frame + kWord))
            return changes(frame - i * kWord) || changes(returns);
    }
    return false;
}

}  // namespace

void guardReturns(Worker& worker, std::uintptr_t address, std::size_t bytes, const void* place,
                  const void* frame) {
    auto saved = reinterpret_cast<std::uintptr_t>(frame);
    const std::uintptr_t ofKernels = worker.stackBytes - worker.stackAbove;
    if (address + bytes - worker.stackLow > ofKernels) failOverwrittenReturn(worker, place);
    for (std::uintptr_t last = 0; saved > last && saved - worker.stackLow < ofKernels;) {
        if (last > 0 && changesAligned(worker, saved, address, bytes)) break;
        if (address + bytes <= saved) return;
        if (address < saved + kSavedBytes) break;
        last = saved;
        saved = *reinterpret_cast<const std::uintptr_t*>(saved);
    }
    failOverwrittenReturn(worker, place);
}

}  // namespace cusim
