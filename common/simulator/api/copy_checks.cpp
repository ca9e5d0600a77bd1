#include "simulator/api/copy_checks.h"

#include "simulator/engine/runtime.h"
#include "simulator/memory/host_memory.h"

namespace cusim {
namespace {

DeviceMemory& memory() { return DeviceMemory::instance(); }
Runtime& runtime() { return Runtime::instance(); }

bool onDevice(const void* pointer) { return memory().inDeviceRange(pointer); }

// Whatever is to be copied, and whether it or the memory has the wrong size.
constexpr const char* kTooLarge =
    "Copy no more than there is room for: less at once, or allocate more. Both sizes are in "
    "bytes: elements times sizeof(float).";

// What to do about a pointer of the wrong side. Where both are of the host, one has perhaps not
// been set; `other` is null where the call has only one.
std::string rightSides(bool device, const void* other, bool isTarget) {
    const std::string allocated = "Has cudaMalloc set the pointer to the device?";
    if (!other) return "This call is for memory of the device. " + allocated;
    const std::string order = "The first argument is the target, the second the source";
    if (onDevice(other) == device) return order + "." + (device ? "" : " " + allocated);
    return order + (device == isTarget
                        ? ": from host to device the kind is cudaMemcpyHostToDevice."
                        : ": from device to host the kind is cudaMemcpyDeviceToHost.");
}

}  // namespace

cudaError_t checkHost(const char* function, const char* role, const void* pointer,
                      std::size_t bytes, const Where& at) {
    const auto room = hostBytesFrom(pointer);
    if (!room || bytes <= *room) return cudaSuccess;
    runtime().report(
        "wild-copy",
        std::string(function) + ": " + std::to_string(bytes) + " bytes go past the " +
            "end of the " + role + ", in host memory",
        at,
        {"from there to its end are " + std::to_string(*room) + " bytes (" +
         std::to_string(*room / sizeof(float)) +
         (*room / sizeof(float) == 1 ? " float)" : " floats)")},
        "Is it the size of this matrix (rows x columns x sizeof(float)), or of the part of it that "
        "is left?");
    return runtime().keep(cudaErrorInvalidValue);
}

cudaError_t checkSide(const char* function, const char* role, const void* pointer,
                      const void* other, std::size_t bytes, bool wantDevice, const Where& at) {
    Allocation* const allocation = memory().find(pointer);
    const bool device = onDevice(pointer) || (allocation && allocation->isVariable());
    const bool both = allocation && allocation->hostMayAccess();
    if (!both && allocation && allocation->isVariable() && !allocation->addressGiven) {
        runtime().report("invalid-symbol",
                         std::string(function) + ": the " + role + ", " + allocation->name +
                             ", is a variable of the device, whose address the host does not know",
                         at, {},
                         "Give the variable to cudaMemcpyToSymbol or cudaMemcpyFromSymbol; or ask "
                         "for its address with cudaGetSymbolAddress.");
        return runtime().keep(cudaErrorInvalidValue);
    }
    if (!both && device != wantDevice) {
        runtime().report("wrong-direction",
                         std::string(function) + ": the " + role + " is " + (device ? "a" : "no") +
                             " device pointer, the direction says " +
                             (wantDevice ? "device" : "host"),
                         at, {}, rightSides(device, other, role == std::string("target")));
        return runtime().keep(cudaErrorInvalidValue);
    }
    if (!device && !both) {
        if (pointer || bytes == 0) return checkHost(function, role, pointer, bytes, at);
        runtime().report("null-pointer", std::string(function) + ": the " + role + " is null", at,
                         {}, "Pass the address of the data.");
        return runtime().keep(cudaErrorInvalidValue);
    }
    if (!allocation || !allocation->holds(reinterpret_cast<std::uintptr_t>(pointer), bytes)) {
        if (bytes == 0) return cudaSuccess;
        std::vector<std::string> details;
        std::string title = std::string(function) + ": ";
        std::string remedy = "Pass the pointer that cudaMalloc gave, or one into its memory.";
        const char* kind = "wild-copy";
        if (allocation && !allocation->live) {
            kind = "use-after-free";
            title += label(*allocation) + " was freed before the copy";
            remedy = "Free device memory only after the last copy.";
        } else if (allocation) {
            const std::size_t offset = reinterpret_cast<std::uintptr_t>(pointer) - allocation->base;
            title +=
                std::to_string(bytes) + " bytes do not fit the " + role + ", " + label(*allocation);
            details.push_back(
                label(*allocation) + " holds " + std::to_string(allocation->bytes) + " bytes" +
                (offset ? ", the copy starts at byte " + std::to_string(offset) : ""));
            remedy = kTooLarge;
        } else {
            title += std::string("the ") + role + " points into no allocation";
        }
        runtime().report(kind, title, at, details, remedy);
        return runtime().keep(cudaErrorInvalidValue);
    }
    return cudaSuccess;
}

}  // namespace cusim
