#include "simulator/explain/host_access.h"

#include "simulator/engine/runtime.h"
#include "simulator/engine/waits.h"
#include "simulator/findings/source_lines.h"
#include "simulator/memory/device_memory.h"

namespace cusim {

void onHostAccess(const void* address, AccessKind kind, const void* place) {
    const Allocation* const variable = DeviceMemory::instance().find(address);
    if (!variable || !variable->isVariable()) return;
    if (variable->hostMayAccess())
        return Waits::instance().hear(address, kind == AccessKind::Store,
                                      [place] { return placeOf(place); });
    if (!Runtime::instance().hostPlaces.insert(place).second) return;
    Runtime::instance().report(
        {"host-touches-device",
         joined("host code ", verb(kind), " ", variable->name, ", a variable of the device"),
         placeOf(place),
         joined("In host code the name is no more than a name: use cudaMemcpy",
                kind == AccessKind::Load ? "FromSymbol." : "ToSymbol.")});
}

}  // namespace cusim
