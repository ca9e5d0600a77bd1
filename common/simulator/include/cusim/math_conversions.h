// Conversions with a stated rounding, and the bits of a number read as another type.
#pragma once

#include <cstring>
#include <limits>

#include "uncounted.h"

namespace cusim {

template <class To, class From>
CUSIM_UNCHECKED To bitsAs(From from) {
    static_assert(sizeof(To) == sizeof(From), "the same number of bits");
    To to;
    std::memcpy(&to, &from, sizeof to);
    return to;
}

// Returns an integral `rounded` as Integer. Out of range it returns the nearest representable
// number, as the card does; in C++ that conversion is undefined.
template <class Integer, class Real>
CUSIM_UNCHECKED Integer saturated(Real rounded) {
    using Limits = std::numeric_limits<Integer>;
    // NaN is 0 when a float becomes 32 bits wide, and the top bit alone otherwise (PTX ISA, cvt).
    if (rounded != rounded) {
        constexpr bool narrow = sizeof(Real) == 4 && sizeof(Integer) == 4;
        return narrow ? Integer{0} : static_cast<Integer>(1ull << (8 * sizeof(Integer) - 1));
    }
    // max() itself may have no exact floating-point value; max() / 2 + 1 always has one.
    constexpr Integer middle = Limits::max() / 2 + 1;
    constexpr Real past = static_cast<Real>(middle) * 2;
    if (rounded >= past) return Limits::max();
    if (rounded <= static_cast<Real>(Limits::min())) return Limits::min();
    return static_cast<Integer>(rounded);
}

enum class Rounding { Zero, Up, Down };

// Rounds `exact` to float: to nearest, then one step back if that went the wrong way.
CUSIM_UNCHECKED float toFloat(double exact, Rounding rounding) {
    const float nearest = static_cast<float>(exact);
    const double got = nearest;
    const bool upward = rounding == Rounding::Up || (rounding == Rounding::Zero && exact < 0);
    if (upward && got < exact) return __builtin_nextafterf(nearest, __builtin_huge_valf());
    if (!upward && got > exact) return __builtin_nextafterf(nearest, -__builtin_huge_valf());
    return nearest;
}

}  // namespace cusim

// rn: to nearest, ties to even; rz: toward zero; ru: up; rd: down.
#define CUSIM_TO_INTEGER(from, real, suffix, to, integer)             \
    CUSIM_UNCHECKED integer __##from##2##to##_rn(real x) {            \
        return cusim::saturated<integer>(__builtin_rint##suffix(x));  \
    }                                                                 \
    CUSIM_UNCHECKED integer __##from##2##to##_rz(real x) {            \
        return cusim::saturated<integer>(__builtin_trunc##suffix(x)); \
    }                                                                 \
    CUSIM_UNCHECKED integer __##from##2##to##_ru(real x) {            \
        return cusim::saturated<integer>(__builtin_ceil##suffix(x));  \
    }                                                                 \
    CUSIM_UNCHECKED integer __##from##2##to##_rd(real x) {            \
        return cusim::saturated<integer>(__builtin_floor##suffix(x)); \
    }
CUSIM_TO_INTEGER(float, float, f, int, int)
CUSIM_TO_INTEGER(float, float, f, uint, unsigned int)
CUSIM_TO_INTEGER(float, float, f, ll, long long)
CUSIM_TO_INTEGER(float, float, f, ull, unsigned long long)
CUSIM_TO_INTEGER(double, double, , int, int)
CUSIM_TO_INTEGER(double, double, , uint, unsigned int)
CUSIM_TO_INTEGER(double, double, , ll, long long)
CUSIM_TO_INTEGER(double, double, , ull, unsigned long long)
#undef CUSIM_TO_INTEGER

// A double holds each of these values exactly, so only one rounding happens.
#define CUSIM_TO_FLOAT(name, type)                                                      \
    CUSIM_UNCHECKED float __##name##2float_rn(type x) { return static_cast<float>(x); } \
    CUSIM_UNCHECKED float __##name##2float_rz(type x) {                                 \
        return cusim::toFloat(static_cast<double>(x), cusim::Rounding::Zero);           \
    }                                                                                   \
    CUSIM_UNCHECKED float __##name##2float_ru(type x) {                                 \
        return cusim::toFloat(static_cast<double>(x), cusim::Rounding::Up);             \
    }                                                                                   \
    CUSIM_UNCHECKED float __##name##2float_rd(type x) {                                 \
        return cusim::toFloat(static_cast<double>(x), cusim::Rounding::Down);           \
    }
CUSIM_TO_FLOAT(int, int)
CUSIM_TO_FLOAT(uint, unsigned int)
CUSIM_TO_FLOAT(double, double)
#undef CUSIM_TO_FLOAT

CUSIM_UNCHECKED float __ll2float_rn(long long x) { return static_cast<float>(x); }
CUSIM_UNCHECKED float __ull2float_rn(unsigned long long x) { return static_cast<float>(x); }
CUSIM_UNCHECKED double __int2double_rn(int x) { return x; }
CUSIM_UNCHECKED double __uint2double_rn(unsigned int x) { return x; }
CUSIM_UNCHECKED double __ll2double_rn(long long x) { return static_cast<double>(x); }
CUSIM_UNCHECKED double __ull2double_rn(unsigned long long x) { return static_cast<double>(x); }

CUSIM_UNCHECKED int __float_as_int(float x) { return cusim::bitsAs<int>(x); }
CUSIM_UNCHECKED float __int_as_float(int x) { return cusim::bitsAs<float>(x); }
CUSIM_UNCHECKED unsigned int __float_as_uint(float x) { return cusim::bitsAs<unsigned int>(x); }
CUSIM_UNCHECKED float __uint_as_float(unsigned int x) { return cusim::bitsAs<float>(x); }
CUSIM_UNCHECKED long long __double_as_longlong(double x) { return cusim::bitsAs<long long>(x); }
CUSIM_UNCHECKED double __longlong_as_double(long long x) { return cusim::bitsAs<double>(x); }
CUSIM_UNCHECKED int __double2hiint(double x) {
    return static_cast<int>(cusim::bitsAs<unsigned long long>(x) >> 32);
}
CUSIM_UNCHECKED int __double2loint(double x) {
    return static_cast<int>(cusim::bitsAs<unsigned long long>(x));
}
CUSIM_UNCHECKED double __hiloint2double(int high, int low) {
    return cusim::bitsAs<double>(
        (static_cast<unsigned long long>(static_cast<unsigned int>(high)) << 32) |
        static_cast<unsigned int>(low));
}
