// Hands an access to the observers that want each one.
#include "simulator/engine/worker.h"
#include "simulator/hooks/hooks.h"
#include "simulator/observers/happens_before.h"

namespace cusim {

void noteAccess(Worker& worker, Instruction instruction, std::uintptr_t start, std::size_t offset,
                std::size_t bytes, std::uint32_t array, bool shared) {
    const std::uintptr_t address = start + offset;
    if (worker.order) {
        const std::uint64_t block = worker.actor.block;
        // Blocks have their shared memory at the same address.
        const std::uint64_t key =
            shared ? (block << 24 | std::uint64_t{1} << 63) + (address - worker.threadLocals)
                   : address;
        const std::uint16_t thread = worker.actor.thread;
        worker.order->touch({worker.actor.block,
                             worker.copied ? HappensBefore::copierOf(thread) : thread, key,
                             reinterpret_cast<const void*>(address), bytes, instruction, shared,
                             array, offset, worker.mode, worker.copied});
    }
    if (worker.trace.on())
        worker.trace.access(worker.actor, instruction, offset, bytes, array, shared);
    if (worker.recording.on())
        worker.recording.access(worker.actor, instruction, start + offset, bytes,
                                static_cast<std::int64_t>(offset), array, shared,
                                worker.framesEnd());
}

}  // namespace cusim
