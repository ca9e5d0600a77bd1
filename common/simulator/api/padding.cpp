#include "simulator/include/cusim/padding.h"

#include <algorithm>

#include "simulator/engine/runtime.h"
#include "simulator/engine/worker.h"
#include "simulator/memory/device_memory.h"
#include "simulator/memory/element_names.h"
#include "simulator/observers/unset_reads.h"

namespace cusim {

void notePadding(const void* array, std::size_t elementBytes, detail::Members members) {
    const Runtime::Turn turn;
    Allocation* const whole = DeviceMemory::instance().find(array);
    if (!whole || !whole->live || !whole->marks) return;
    const std::size_t first = whole->offsetOf(array);
    const std::size_t end =
        std::min(whole->paddings.note(first, elementBytes, members), whole->bytes);
    if (first == end) return;
    const unsigned char* const isMember = members();
    for (std::size_t i = first; i < end; ++i)
        if (isMember[(i - first) % elementBytes] == 0) whole->marks[i] = kWritten;
}

void noteElements(const volatile void* first, std::size_t elementBytes, detail::Members members) {
    const void* const start = const_cast<const void*>(first);
    if (DeviceMemory::instance().inDeviceRange(start)) {
        Allocation* const whole = DeviceMemory::instance().find(start);
        if (whole) whole->paddings.note(whole->offsetOf(start), elementBytes, members);
    } else if (const Worker* const worker = cusimWorker) {
        notePaddingOfShared(reinterpret_cast<std::uintptr_t>(start) - worker->threadLocals,
                            elementBytes, members);
    }
}

}  // namespace cusim
