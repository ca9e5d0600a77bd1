#include "simulator/api/shared_stores.h"

#include <algorithm>
#include <memory>

#include "simulator/engine/runtime.h"
#include "simulator/engine/stored_values.h"
#include "simulator/engine/waits.h"
#include "simulator/engine/worker_pool.h"
#include "simulator/memory/device_memory.h"

namespace cusim {

void noteSharedStores(const LaunchReport& report, const LaunchConfig& config, int used) {
    std::shared_ptr<const Work> work;
    for (const auto& allocation : DeviceMemory::instance().allocations()) {
        if (!report.completed || !allocation->live || !allocation->hostMayAccess()) continue;
        const auto stores = [&](const Worker* worker) {
            return worker->global[allocation->id].writtenIn > 0;
        };
        if (std::none_of(workers().begin(), workers().begin() + used, stores)) continue;
        if (!work)
            work = Waits::instance().begin("kernel " + report.kernel, report.at,
                                           Runtime::numbered({StreamStep::Launch}, config.stream));
        Waits::instance().noteStored(work, *allocation);
    }
    keepSharedWithHost();
}

}  // namespace cusim
