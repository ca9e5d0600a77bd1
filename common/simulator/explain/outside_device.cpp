#include "simulator/explain/outside_device.h"

#include <algorithm>
#include <cstring>

#include "simulator/explain/named_array.h"
#include "simulator/findings/source_lines.h"
#include "simulator/memory/device_heap.h"
#include "simulator/memory/symbols.h"

namespace cusim {
namespace {

constexpr std::uintptr_t kNear = 1 << 20;

// Returns the device array that contains a pointer to an address, or to a little before it;
// null if none does.
const Allocation* holderOf(std::uintptr_t address) {
    constexpr std::size_t kMostWords = std::size_t{1} << 17;
    for (const auto& one : DeviceMemory::instance().allocations()) {
        const auto* const words = reinterpret_cast<const std::uintptr_t*>(one->base);
        const std::size_t count = one->live ? std::min(kMostWords, one->bytes / sizeof *words) : 0;
        for (std::size_t i = 0; i < count; ++i)
            if (words[i] != 0 && address - words[i] < kNear) return one.get();
    }
    return nullptr;
}

}  // namespace

void describeHeap(Finding& finding, std::uintptr_t address, std::size_t bytes,
                  const std::string& does) {
    const auto block = DeviceHeap::instance().nearest(address);
    const Place taken = block ? placeOf(block->takenAt) : Place{};
    const std::string what = joined("memory that the kernel allocated at ", text(taken));
    if (block && block->freedAt && block->holds(address, 1)) {
        finding.kind = "use-after-free";
        finding.title = does + " memory that it has freed";
        const Place freed = placeOf(block->freedAt);
        finding.details = {joined(what, ", freed at ", text(freed))};
        finding.others = {taken, freed};
        finding.remedy = "Free memory from new or malloc only after its last use.";
        return;
    }
    finding.title = joined("out of bounds: ", does, " outside of memory from new or malloc");
    if (block) {
        const auto offset = static_cast<std::ptrdiff_t>(address - block->base);
        const auto size = static_cast<std::ptrdiff_t>(bytes);
        finding.details = {joined(
            offset % size == 0 ? "index " : "byte ", offset % size == 0 ? offset / size : offset,
            "; ", counted(block->bytes, "byte"), " were allocated at ", text(taken))};
        finding.others = {taken};
    }
    finding.remedy = "Correct the index, or the size of the allocation.";
}

void describeVariableOfHost(Finding& finding, const std::string& mangled, AccessKind kind) {
    std::string name = demangled(mangled);
    // A static variable of a function: f(float*)::name.
    const std::size_t colons = name.rfind("::");
    if (colons != std::string::npos) name.erase(0, colons + 2);
    finding.kind = "host-pointer";
    const bool isLocal = mangled.rfind("_ZZ", 0) == 0;
    finding.title = joined("the kernel ", verb(kind), " ", name,
                           isLocal ? ", a static variable of a function" : ", a host variable");
    finding.remedy = isLocal
                         ? "The simulated device does not support this. Declare it outside of the "
                           "function, with __device__. Without static, each thread has its own."
                         : joined("If kernels should use ", name,
                                  ", declare it with __device__. If it belongs to the host, copy "
                                  "what the kernel needs with cudaMemcpy.");
}

void describeCopyOfHost(Finding& finding, const Allocation& variable, AccessKind kind) {
    finding.kind = "host-pointer";
    finding.title =
        joined("the kernel ", verb(kind), " the host's copy of ", variable.name,
               ": in host code the name ", variable.name, " does not mean the device's variable");
    finding.remedy = joined("Use ", variable.name,
                            " by its name in the kernel. If the host must pass its address, get "
                            "that from cudaGetSymbolAddress.");
}

bool isValueOf(const Allocation& variable, std::uintptr_t address) {
    std::int32_t value = 0;  // a variable of this size holds no pointer
    if (!variable.isVariable() || variable.bytes != sizeof value || address == 0) return false;
    std::memcpy(&value, reinterpret_cast<const void*>(variable.base), sizeof value);
    return address == static_cast<std::uintptr_t>(value) ||
           address == static_cast<std::uint32_t>(value);
}

void describeValue(Finding& finding, const Allocation& variable, std::uintptr_t address,
                   const std::string& does) {
    finding.title = joined("out of bounds: ", does, " at the address ",
                           static_cast<std::ptrdiff_t>(address), ", the value of ", variable.name);
    finding.remedy = joined("The pointer holds the value of ", variable.name,
                            ", not its address: let it be &", variable.name, ".");
    finding.others = {variable.at};
}

void describeNowhere(Finding& finding, const KernelCall& call, std::uintptr_t address,
                     const std::string& does) {
    finding.kind = "host-pointer";
    finding.title = does + " memory that is not on the device";
    if (const Allocation* const holder = holderOf(address)) {
        finding.details.push_back(joined(label(*holder), ", allocated at ", text(holder->at),
                                         ", holds the pointer, which is a host pointer"));
        finding.others = {holder->at};
        finding.remedy = joined(
            "A pointer in device memory must be a device pointer, too. Allocate with cudaMalloc "
            "what it points to, copy the data, and copy the pointer from cudaMalloc into ",
            label(*holder), ".");
        return;
    }
    std::string pointer =
        "the pointer is a host pointer, or points to another thread's local variable, or is "
        "uninitialized";
    for (const auto& [name, value] : pointerParameters(finding.file, finding.line, call))
        if (value && address - reinterpret_cast<std::uintptr_t>(value) < kNear)
            pointer =
                joined("the launch at ", text(Place(call.at)), " passes this pointer as ", name,
                       ": it is a host pointer, such as one from malloc or new, or it is "
                       "uninitialized");
    finding.details.push_back(pointer);
    finding.remedy =
        "Pass the pointer that cudaMalloc gave (d_M), not the host's (M), and copy data with "
        "cudaMemcpy. Check that cudaMalloc set the pointer that is passed.";
}

}  // namespace cusim
