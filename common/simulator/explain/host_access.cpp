#include "simulator/explain/host_access.h"

#include <unistd.h>

#include <cstdio>

#include "simulator/engine/runtime.h"
#include "simulator/engine/waits.h"
#include "simulator/engine/worker_pool.h"
#include "simulator/findings/source_lines.h"
#include "simulator/memory/device_memory.h"

namespace cusim {

namespace {

// Ends the program: a kernel made the simulator run unchecked code.
[[noreturn]] void endOnPoolThread() {
    std::fputs("code of the file ran on a thread of the simulated device, outside of kernels\n",
               stderr);
    _exit(2);
}

}  // namespace

void onHostAccess(const void* address, AccessKind kind, const void* place) {
    if (servesBlocks) endOnPoolThread();
    const Allocation* memory = DeviceMemory::instance().find(address);
    if (!memory) memory = DeviceMemory::instance().variableAt(address);
    if (!memory || memory->hostMayAccess())
        return Waits::instance().noteAccess(address, kind == AccessKind::Store,
                                            [place] { return placeOf(place); });
    if (!memory->isVariable()) return;  // raises a signal
    if (!Runtime::instance().hostPlaces.insert(place).second) return;
    Runtime::instance().report(
        {"host-touches-device",
         joined("host code ", verb(kind), " ", memory->name, ", a device variable"), placeOf(place),
         joined("Host code cannot use a device variable by its name: use cudaMemcpy",
                kind == AccessKind::Load ? "FromSymbol." : "ToSymbol.")});
}

}  // namespace cusim
