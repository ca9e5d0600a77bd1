// Functions of the C library that access memory without a hook. The build renames a .cu file's
// calls to these (see redirected.syms), so that the observers see their accesses.
#include <cmath>
#include <cstring>

#include "simulator/hooks/hooks.h"

namespace {

template <class T>
void stored(const T* at, const void* place) {
    cusim::access(at, sizeof *at, cusim::AccessKind::Store, place);
}

void copied(void* target, const void* source, std::size_t bytes, const void* place) {
    if (bytes == 0) return;
    cusim::access(source, bytes, cusim::AccessKind::Load, place);
    cusim::access(target, bytes, cusim::AccessKind::Store, place);
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming)
#define CUSIM_MATH(T, suffix)                                                        \
    T cusimMath_frexp##suffix(T x, int* exponent) {                                  \
        stored(exponent, __builtin_return_address(0));                               \
        return std::frexp(x, exponent);                                              \
    }                                                                                \
    T cusimMath_modf##suffix(T x, T* whole) {                                        \
        stored(whole, __builtin_return_address(0));                                  \
        return std::modf(x, whole);                                                  \
    }                                                                                \
    T cusimMath_remquo##suffix(T x, T y, int* quotient) {                            \
        stored(quotient, __builtin_return_address(0));                               \
        return std::remquo(x, y, quotient);                                          \
    }                                                                                \
    void cusimMath_sincos##suffix(T x, T* sine, T* cosine) {                         \
        stored(sine, __builtin_return_address(0));                                   \
        stored(cosine, __builtin_return_address(0));                                 \
        *sine = std::sin(x);                                                         \
        *cosine = std::cos(x);                                                       \
    }                                                                                \
    T cusimMath_nan##suffix(const char* tag) {                                       \
        cusim::access(tag, 1, cusim::AccessKind::Load, __builtin_return_address(0)); \
        return static_cast<T>(NAN);                                                  \
    }

extern "C" {

void* cusimMemcpy(void* target, const void* source, std::size_t bytes) {
    copied(target, source, bytes, __builtin_return_address(0));
    return std::memcpy(target, source, bytes);
}
void* cusimMemmove(void* target, const void* source, std::size_t bytes) {
    copied(target, source, bytes, __builtin_return_address(0));
    return std::memmove(target, source, bytes);
}
void* cusimMemset(void* target, int value, std::size_t bytes) {
    if (bytes > 0)
        cusim::access(target, bytes, cusim::AccessKind::Store, __builtin_return_address(0));
    return std::memset(target, value, bytes);
}

CUSIM_MATH(double, )
CUSIM_MATH(float, f)

}  // extern "C"
// NOLINTEND(readability-identifier-naming)
