// memcpy, memmove and memset of a .cu file. The build renames its calls to these (see
// redirected.syms), because the compiler does not announce what they touch.
#include <cstring>

#include "simulator/hooks/hooks.h"

extern "C" {

void* cusimMemcpy(void* target, const void* source, std::size_t bytes) {
    const void* const place = __builtin_return_address(0);
    if (bytes > 0) {
        cusim::access(source, bytes, cusim::AccessKind::Load, place);
        cusim::access(target, bytes, cusim::AccessKind::Store, place);
    }
    return std::memcpy(target, source, bytes);
}

void* cusimMemmove(void* target, const void* source, std::size_t bytes) {
    const void* const place = __builtin_return_address(0);
    if (bytes > 0) {
        cusim::access(source, bytes, cusim::AccessKind::Load, place);
        cusim::access(target, bytes, cusim::AccessKind::Store, place);
    }
    return std::memmove(target, source, bytes);
}

void* cusimMemset(void* target, int value, std::size_t bytes) {
    if (bytes > 0)
        cusim::access(target, bytes, cusim::AccessKind::Store, __builtin_return_address(0));
    return std::memset(target, value, bytes);
}

}  // extern "C"
