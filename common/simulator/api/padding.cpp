#include "simulator/include/cusim/padding.h"

#include <algorithm>

#include "simulator/engine/runtime.h"
#include "simulator/memory/device_memory.h"
#include "simulator/observers/unset_reads.h"

namespace cusim {

void notePadding(const void* array, const unsigned char* members, std::size_t elementBytes) {
    const Runtime::Turn turn;
    Allocation* const whole = DeviceMemory::instance().find(array);
    if (!whole || !whole->live || !whole->marks) return;
    const std::size_t first = whole->offsetOf(array), phase = first % elementBytes;
    std::size_t& from = whole->padded.try_emplace({members, phase}, whole->bytes).first->second;
    for (std::size_t i = first; i < from; ++i)
        if (members[(i - first) % elementBytes] == 0) whole->marks[i] = kWritten;
    from = std::min(from, first);
}

}  // namespace cusim
