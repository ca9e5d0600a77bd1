#include "simulator/api/device_range.h"

#include <cstdint>

namespace cusim {

DeviceRange rangeOf(const void* start, std::size_t bytes) {
    const DeviceMemory& memory = DeviceMemory::instance();
    const Allocation *const found = memory.find(start), *const variable = memory.variableAt(start);
    const Allocation* const array = found ? found : variable;
    const auto fault = [&] {
        if (!start) return RangeFault::Null;
        if (!array) return RangeFault::NoArray;
        if (!array->live) return RangeFault::Freed;
        if (variable && !variable->hostMayAccess() && !(found && variable->addressGiven))
            return RangeFault::HiddenVariable;
        const bool holds = array->holds(reinterpret_cast<std::uintptr_t>(start), bytes);
        return holds ? RangeFault::None : RangeFault::PastEnd;
    };
    return {array, fault()};
}

Finding freedFinding(const std::string& operand, const Allocation& array, const Where& at) {
    if (array.freedAt.line == 0)
        return {"use-after-free",
                joined(operand, " is ", label(array), ", which an earlier call has allocated"), at,
                joined("The test frees what a call leaves, but a static or global pointer keeps "
                       "the old address. Allocate in each call, in line ",
                       array.at.line, ", and free at its end.")};
    return {"use-after-free",
            joined(operand, " is ", label(array), " after cudaFree"),
            at,
            "Free device memory only after the last call that uses it.",
            {"freed at " + text(array.freedAt)}};
}

std::string tellHidden(const std::string& operand, const Allocation& variable) {
    return joined(operand, " is ", variable.name,
                  ", a device variable whose address the host does not know");
}

}  // namespace cusim
