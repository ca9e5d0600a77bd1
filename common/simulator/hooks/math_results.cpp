// Mathematical functions that give or take something by a pointer. The build renames a .cu file's
// calls to these (see block_copies.cpp), so that the observers see what they touch.
#include <cmath>

#include "simulator/hooks/hooks.h"

namespace {

template <class T>
void stored(const T* at, const void* place) {
    cusim::access(at, sizeof *at, cusim::AccessKind::Store, place);
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
CUSIM_MATH(double, )
CUSIM_MATH(float, f)
}
// NOLINTEND(readability-identifier-naming)
