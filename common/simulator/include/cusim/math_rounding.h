// Arithmetic with a stated rounding: rz toward zero, ru up, rd down.
#pragma once

#include <fenv.h>

#include <cmath>

#include "uncounted.h"

namespace cusim {

// Runs an operation while the processor rounds so. The operands are volatile, so that no compiler
// computes it before.
template <class T, class Operation>
CUSIM_UNCHECKED T inRounding(int mode, T x, T y, T z, Operation operation) {
    const volatile T a = x, b = y, c = z;
    const int before = fegetround();
    fesetround(mode);
    const volatile T result = operation(a, b, c);
    fesetround(before);
    return result;
}

// Returns an integer as To, which may not hold all its bits.
template <class To, class Integer>
CUSIM_UNCHECKED To convertedIn(int mode, Integer x) {
    const volatile Integer integer = x;
    const int before = fegetround();
    fesetround(mode);
    const volatile To result = static_cast<To>(integer);
    fesetround(before);
    return result;
}

}  // namespace cusim

#define CUSIM_CONVERSION(from, integer, to)              \
    CUSIM_UNCHECKED to __##from##2##to##_rz(integer x) { \
        return cusim::convertedIn<to>(FE_TOWARDZERO, x); \
    }                                                    \
    CUSIM_UNCHECKED to __##from##2##to##_ru(integer x) { \
        return cusim::convertedIn<to>(FE_UPWARD, x);     \
    }                                                    \
    CUSIM_UNCHECKED to __##from##2##to##_rd(integer x) { \
        return cusim::convertedIn<to>(FE_DOWNWARD, x);   \
    }
CUSIM_CONVERSION(ll, long long, float)
CUSIM_CONVERSION(ll, long long, double)
CUSIM_CONVERSION(ull, unsigned long long, float)
CUSIM_CONVERSION(ull, unsigned long long, double)
#undef CUSIM_CONVERSION

#define CUSIM_ROUNDED(T, name, mode, parameters, x, y, z, expression)                         \
    CUSIM_UNCHECKED T name parameters {                                                       \
        return cusim::inRounding<T>(                                                          \
            mode, x, y, z,                                                                    \
            [](T a, [[maybe_unused]] T b, [[maybe_unused]] T c) -> T { return expression; }); \
    }
#define CUSIM_ARITHMETIC(T, p, fused, suffix, mode)                            \
    CUSIM_ROUNDED(T, __##p##add_##suffix, mode, (T x, T y), x, y, 0, a + b)    \
    CUSIM_ROUNDED(T, __##p##sub_##suffix, mode, (T x, T y), x, y, 0, a - b)    \
    CUSIM_ROUNDED(T, __##p##mul_##suffix, mode, (T x, T y), x, y, 0, a* b)     \
    CUSIM_ROUNDED(T, __##p##div_##suffix, mode, (T x, T y), x, y, 0, a / b)    \
    CUSIM_ROUNDED(T, __##p##rcp_##suffix, mode, (T x), x, 0, 0, 1 / a)         \
    CUSIM_ROUNDED(T, __##p##sqrt_##suffix, mode, (T x), x, 0, 0, std::sqrt(a)) \
    CUSIM_ROUNDED(T, fused##_##suffix, mode, (T x, T y, T z), x, y, z, std::fma(a, b, c))
#define CUSIM_DIRECTIONS(T, p, fused)                \
    CUSIM_ARITHMETIC(T, p, fused, rz, FE_TOWARDZERO) \
    CUSIM_ARITHMETIC(T, p, fused, ru, FE_UPWARD)     \
    CUSIM_ARITHMETIC(T, p, fused, rd, FE_DOWNWARD)
CUSIM_DIRECTIONS(float, f, __fmaf)
CUSIM_DIRECTIONS(double, d, __fma)
#undef CUSIM_DIRECTIONS
#undef CUSIM_ARITHMETIC
#undef CUSIM_ROUNDED
