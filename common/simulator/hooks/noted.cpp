// Passes an access to the observers of the launch.
#include "simulator/engine/worker.h"
#include "simulator/hooks/hooks.h"

namespace cusim {

void noteAccess(Worker& worker, Instruction instruction, std::uintptr_t start, std::size_t offset,
                std::size_t bytes, std::uint32_t array, bool shared) {
    const SeenAccess one{worker.actor,
                         worker.mode,
                         instruction,
                         array,
                         shared,
                         start,
                         offset,
                         bytes,
                         start + offset - worker.threadLocals,
                         worker.copied,
                         worker.framesEnd()};
    worker.notify(&Observer::access, one);
}

}  // namespace cusim
