// Tells kernels from other functions. The attribute behind __global__ (cusim/keywords.h) makes the
// compiler put a no-operation in front of the function, and the address of that into a section.
// Unlike the text of a .cu file, this also tells templates, overloads and functions behind pointers
// apart.
#include "simulator/api/kernels.h"

#include <algorithm>
#include <cstdint>

// Provided by the linker; weak, because a program may have no kernel.
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
extern "C" {
extern const std::uintptr_t __start___patchable_function_entries[] __attribute__((weak));
extern const std::uintptr_t __stop___patchable_function_entries[] __attribute__((weak));
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)

namespace cusim {
namespace {

#if defined(__x86_64__)
constexpr std::uintptr_t kBytesInFront = 1;
#else
constexpr std::uintptr_t kBytesInFront = 4;
#endif

}  // namespace

bool isKernel(const void* function) {
    const std::uintptr_t entry = reinterpret_cast<std::uintptr_t>(function) - kBytesInFront;
    const auto* const end = __stop___patchable_function_entries;
    return std::find(__start___patchable_function_entries, end, entry) != end;
}

}  // namespace cusim
