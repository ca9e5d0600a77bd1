// Arithmetic with a stated rounding: rz toward zero, ru up, rd down.
#pragma once

#include <fenv.h>

#include <cmath>

#include "uncounted.h"

// Returns `result` as the processor rounds it in that mode. The operands are volatile, so that no
// compiler computes it before. A macro, as each compilation would make a template anew.
#define CUSIM_IN_MODE(T, mode, result)   \
    const int before = fegetround();     \
    fesetround(mode);                    \
    const volatile T rounded = (result); \
    fesetround(before);                  \
    return rounded;

// An integer whose bits the type may not all hold.
#define CUSIM_CONVERSION_IN(name, integer, to, mode) \
    CUSIM_UNCHECKED to name(integer x) {             \
        const volatile integer a = x;                \
        CUSIM_IN_MODE(to, mode, static_cast<to>(a))  \
    }
#define CUSIM_CONVERSION(from, integer, to)                               \
    CUSIM_CONVERSION_IN(__##from##2##to##_rz, integer, to, FE_TOWARDZERO) \
    CUSIM_CONVERSION_IN(__##from##2##to##_ru, integer, to, FE_UPWARD)     \
    CUSIM_CONVERSION_IN(__##from##2##to##_rd, integer, to, FE_DOWNWARD)
CUSIM_CONVERSION(ll, long long, float)
CUSIM_CONVERSION(ll, long long, double)
CUSIM_CONVERSION(ull, unsigned long long, float)
CUSIM_CONVERSION(ull, unsigned long long, double)
#undef CUSIM_CONVERSION
#undef CUSIM_CONVERSION_IN

#define CUSIM_ROUNDED(T, name, mode, result, parameters, ...) \
    CUSIM_UNCHECKED T name parameters {                       \
        const volatile T __VA_ARGS__;                         \
        CUSIM_IN_MODE(T, mode, result)                        \
    }
#define CUSIM_ARITHMETIC(T, p, fused, suffix, mode)                                              \
    CUSIM_ROUNDED(T, __##p##add_##suffix, mode, a + b, (T x, T y), a = x, b = y)                 \
    CUSIM_ROUNDED(T, __##p##sub_##suffix, mode, a - b, (T x, T y), a = x, b = y)                 \
    CUSIM_ROUNDED(T, __##p##mul_##suffix, mode, a* b, (T x, T y), a = x, b = y)                  \
    CUSIM_ROUNDED(T, __##p##div_##suffix, mode, a / b, (T x, T y), a = x, b = y)                 \
    CUSIM_ROUNDED(T, __##p##rcp_##suffix, mode, 1 / a, (T x), a = x)                             \
    CUSIM_ROUNDED(T, __##p##sqrt_##suffix, mode, std::sqrt(T(a)), (T x), a = x)                  \
    CUSIM_ROUNDED(T, fused##_##suffix, mode, std::fma(T(a), T(b), T(c)), (T x, T y, T z), a = x, \
                  b = y, c = z)
#define CUSIM_DIRECTIONS(T, p, fused)                \
    CUSIM_ARITHMETIC(T, p, fused, rz, FE_TOWARDZERO) \
    CUSIM_ARITHMETIC(T, p, fused, ru, FE_UPWARD)     \
    CUSIM_ARITHMETIC(T, p, fused, rd, FE_DOWNWARD)
CUSIM_DIRECTIONS(float, f, __fmaf)
CUSIM_DIRECTIONS(double, d, __fma)
#undef CUSIM_DIRECTIONS
#undef CUSIM_ARITHMETIC
#undef CUSIM_ROUNDED
#undef CUSIM_IN_MODE
