#include "simulator/engine/copied_sources.h"

#include <cstring>

#include "simulator/memory/device_memory.h"

namespace cusim {

void checkSource(Worker& worker, const AsyncCopy& copy) {
    const std::size_t read = copy.bytes - copy.zeros;
    if (!worker.checkRaces || std::memcmp(copy.before, copy.source, read) == 0) return;
    const Allocation* const source = DeviceMemory::instance().find(copy.source);
    if (!source) return;
    RaceExample example;
    example.count = 1;
    example.block = example.otherBlock = worker.actor.block;
    example.offset = reinterpret_cast<std::uintptr_t>(copy.source) - source->base;
    example.firstThread = example.secondThread = copy.thread;
    example.reason = RaceReason::UnderWay;
    worker.races.log().add({false, source->id, copy.load, copy.load, false}, example);
}

void checkSources(Worker& worker) {
    worker.copies.each([&](const AsyncCopy& copy) { checkSource(worker, copy); });
}

}  // namespace cusim
