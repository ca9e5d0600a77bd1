#include "simulator/include/cusim/padding.h"

#include "simulator/engine/runtime.h"
#include "simulator/engine/worker.h"
#include "simulator/memory/device_memory.h"
#include "simulator/memory/element_names.h"

namespace cusim {

void notePadding(const void* array, std::size_t elementBytes, detail::Members members) {
    const Runtime::Turn turn;
    Allocation* const whole = DeviceMemory::instance().find(array);
    if (whole && whole->live)
        whole->paddings.note(whole->offsetOf(array), elementBytes, members, Excuse::Alone);
}

void noteElements(const volatile void* first, std::size_t elementBytes, detail::Members members) {
    const void* const start = const_cast<const void*>(first);
    if (DeviceMemory::instance().inDeviceRange(start)) {
        Allocation* const whole = DeviceMemory::instance().find(start);
        if (whole)
            whole->paddings.note(whole->offsetOf(start), elementBytes, members,
                                 Excuse::WithMembers);
    } else if (const Worker* const worker = cusimWorker) {
        notePaddingOfShared(reinterpret_cast<std::uintptr_t>(start) - worker->threadLocals,
                            elementBytes, members);
    }
}

}  // namespace cusim
