// An allocation is opened to the host at the signal of its first access, so that other host code
// still gets a report if it accesses device memory.
#include "simulator/include/cusim/device_code_on_host.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "simulator/engine/runtime.h"
#include "simulator/engine/waits.h"
#include "simulator/engine/worker.h"
#include "simulator/memory/device_memory.h"
#include "simulator/memory/unset.h"
#include "simulator/observers/unset_reads.h"

namespace cusim {
namespace {

int depth = 0;
std::vector<Allocation*> lent, touched;  // while an object lives, and until the next call

void protect(const Allocation& allocation, int protection) {
    mprotect(reinterpret_cast<void*>(allocation.base), allocation.bytes, protection);
}

bool lend(const void* address) {
    Allocation* const one = depth > 0 ? DeviceMemory::instance().find(address) : nullptr;
    if (!one || !one->live || one->isVariable() || one->hostMayAccess()) return false;
    protect(*one, PROT_READ | PROT_WRITE);
    lent.push_back(one);
    if (std::find(touched.begin(), touched.end(), one) == touched.end()) touched.push_back(one);
    return true;
}

// Marks the words as written that differ from the pattern of uninitialized memory.
void noteWritten() {
    if (touched.empty()) return;
    const DeviceMemory::Access access;
    for (const Allocation* const one : touched) {
        if (!one->live) continue;
        const auto* const bytes = reinterpret_cast<const char*>(one->base);
        for (std::size_t at = 0; at < one->bytes; at += sizeof kUnsetWord) {
            const std::size_t size = std::min(sizeof kUnsetWord, one->bytes - at);
            if (std::memcmp(bytes + at, &kUnsetWord, size) != 0)
                Marks::set(one->marks + at, size, kWritten);
        }
    }
    touched.clear();
}

}  // namespace

DeviceCodeOnHost::DeviceCodeOnHost() {
    if (cusimWorker) return;
    Waits::instance().hostWaitsForAll();
    Runtime::lend = lend;
    Runtime::callListener = noteWritten;
    ++depth;
}

DeviceCodeOnHost::~DeviceCodeOnHost() {
    if (cusimWorker || --depth > 0) return;
    for (Allocation* const one : lent)
        if (one->live) protect(*one, PROT_NONE);
    lent.clear();
}

}  // namespace cusim
