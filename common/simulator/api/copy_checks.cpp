#include "simulator/api/copy_checks.h"

#include <cstdint>

#include "simulator/engine/host_memory.h"
#include "simulator/engine/runtime.h"
#include "simulator/memory/element_names.h"

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
    return order + (device == isTarget ? ": are they exchanged? From host to device the kind is "
                                         "cudaMemcpyHostToDevice."
                                       : ": are they exchanged? From device to host the kind is "
                                         "cudaMemcpyDeviceToHost.");
}

}  // namespace

cudaError_t checkHost(const char* function, const char* role, const void* pointer,
                      std::size_t bytes, const Where& at) {
    const auto room = hostBytesFrom(pointer);
    if (!room || bytes <= *room) return cudaSuccess;
    return runtime().refuse(
        cudaErrorInvalidValue,
        {"wild-copy",
         joined(function, ": ", bytes, " bytes go past the end of the ", role, ", in host memory"),
         at,
         "Is it the size of this matrix (rows x columns x sizeof(float)), or of the part of it "
         "that is left?",
         {joined("from there to its end are ", *room, " bytes (",
                 counted(*room / sizeof(float), "float"), ")")}});
}

cudaError_t checkSide(const char* function, const char* role, const void* pointer,
                      const void* other, std::size_t bytes, bool wantDevice, const Where& at) {
    Allocation* const allocation = memory().find(pointer);
    const bool device = onDevice(pointer) || (allocation && allocation->isVariable());
    const bool both = allocation && allocation->hostMayAccess();
    const auto refuse = [&](const char* kind, const std::string& what, const std::string& remedy,
                            std::vector<std::string> details = {}) {
        return runtime().refuse(cudaErrorInvalidValue, {kind, joined(function, ": ", what), at,
                                                        remedy, std::move(details)});
    };
    if (!both && allocation && allocation->isVariable() && !allocation->addressGiven)
        return refuse("invalid-symbol",
                      joined("the ", role, ", ", allocation->name,
                             ", is a variable of the device, whose address the host does not know"),
                      "Give the variable to cudaMemcpyToSymbol or cudaMemcpyFromSymbol; or ask "
                      "for its address with cudaGetSymbolAddress.");
    if (!both && device != wantDevice)
        return refuse(
            "wrong-direction",
            joined("the ", role, " is ", device ? "a" : "no",
                   " device pointer, the direction says ", wantDevice ? "device" : "host"),
            rightSides(device, other, role == std::string("target")));
    if (!device && !both) {
        if (pointer || bytes == 0) return checkHost(function, role, pointer, bytes, at);
        return refuse("null-pointer", joined("the ", role, " is null"),
                      "Pass the address of the data.");
    }
    if (bytes == 0 ||
        (allocation && allocation->holds(reinterpret_cast<std::uintptr_t>(pointer), bytes)))
        return cudaSuccess;
    if (!allocation)
        return refuse("wild-copy", joined("the ", role, " points into no allocation"),
                      "Pass the pointer that cudaMalloc gave, or one into its memory.");
    if (!allocation->live)
        return refuse("use-after-free", label(*allocation) + " was freed before the copy",
                      "Free device memory only after the last copy.");
    const std::size_t offset = allocation->offsetOf(pointer);
    const std::string forgotten = offset == 0 ? ifSizeIsForgotten(*allocation) : "";
    return refuse("wild-copy",
                  joined(bytes, " bytes do not fit the ", role, ", ", label(*allocation)),
                  forgotten.empty() ? kTooLarge : forgotten,
                  {joined(label(*allocation), " holds ", allocation->bytes, " bytes",
                          offset ? joined(", the copy starts at byte ", offset) : "")});
}

}  // namespace cusim
