// The mathematical functions that device code may call without an include.
#pragma once

// math.h and stdlib.h of the C++ library put the overloads for float (sqrt, abs, pow, isnan...) in
// the global namespace; cmath and cstdlib alone need not.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "uncounted.h"

// Newer C libraries declare some of these names too (rsqrt, sinpi... came with C23). Linkage and
// noexcept as in C make ours a definition of the same function and not an ambiguous second one.
#define CUSIM_C_MATH extern "C" CUSIM_UNCHECKED

// min and max are not templates and return by value, as on the card. With `using namespace std`
// they win over std::min and std::max, because an ordinary function beats an equally good template.
#define CUSIM_MIN_MAX(result, left, right)                                               \
    [[nodiscard]] CUSIM_UNCHECKED result min(left a, right b) {                          \
        return static_cast<result>(a) < static_cast<result>(b) ? static_cast<result>(a)  \
                                                               : static_cast<result>(b); \
    }                                                                                    \
    [[nodiscard]] CUSIM_UNCHECKED result max(left a, right b) {                          \
        return static_cast<result>(a) > static_cast<result>(b) ? static_cast<result>(a)  \
                                                               : static_cast<result>(b); \
    }
#define CUSIM_MIN_MAX_INTEGER(signed_type, unsigned_type)      \
    CUSIM_MIN_MAX(signed_type, signed_type, signed_type)       \
    CUSIM_MIN_MAX(unsigned_type, unsigned_type, unsigned_type) \
    CUSIM_MIN_MAX(unsigned_type, signed_type, unsigned_type)   \
    CUSIM_MIN_MAX(unsigned_type, unsigned_type, signed_type)

CUSIM_MIN_MAX_INTEGER(int, unsigned int)
CUSIM_MIN_MAX_INTEGER(long, unsigned long)
CUSIM_MIN_MAX_INTEGER(long long, unsigned long long)

#undef CUSIM_MIN_MAX_INTEGER
#undef CUSIM_MIN_MAX

// Given a NaN and a number, the card returns the number; a comparison would not.
[[nodiscard]] CUSIM_UNCHECKED float min(float a, float b) { return fminf(a, b); }
[[nodiscard]] CUSIM_UNCHECKED float max(float a, float b) { return fmaxf(a, b); }
[[nodiscard]] CUSIM_UNCHECKED double min(double a, double b) { return fmin(a, b); }
[[nodiscard]] CUSIM_UNCHECKED double max(double a, double b) { return fmax(a, b); }
CUSIM_UNCHECKED double min(float a, double b) { return fmin(static_cast<double>(a), b); }
CUSIM_UNCHECKED double max(float a, double b) { return fmax(static_cast<double>(a), b); }
CUSIM_UNCHECKED double min(double a, float b) { return fmin(a, static_cast<double>(b)); }
CUSIM_UNCHECKED double max(double a, float b) { return fmax(a, static_cast<double>(b)); }

CUSIM_UNCHECKED unsigned int umin(unsigned int a, unsigned int b) { return min(a, b); }
CUSIM_UNCHECKED unsigned int umax(unsigned int a, unsigned int b) { return max(a, b); }
CUSIM_UNCHECKED long long llmin(long long a, long long b) { return min(a, b); }
CUSIM_UNCHECKED long long llmax(long long a, long long b) { return max(a, b); }

CUSIM_C_MATH double rsqrt(double x) noexcept { return 1.0 / sqrt(x); }
CUSIM_C_MATH double rcbrt(double x) noexcept { return 1.0 / cbrt(x); }
CUSIM_C_MATH double rhypot(double x, double y) noexcept { return 1.0 / hypot(x, y); }

// Reducing the argument before the multiplication by pi keeps the multiples of one half exact:
// sinpi(1) and cospi(0.5) are 0.
CUSIM_C_MATH double sinpi(double x) noexcept {
    double r = remainder(x, 2.0);
    if (fabs(r) > 0.5) r = copysign(1.0, r) - r;
    return sin(3.14159265358979323846 * r);
}
CUSIM_C_MATH double cospi(double x) noexcept {
    return sin(3.14159265358979323846 * (0.5 - fabs(remainder(x, 2.0))));
}
CUSIM_C_MATH double normcdf(double x) noexcept { return 0.5 * erfc(-0.70710678118654752440 * x); }
CUSIM_C_MATH double norm3d(double a, double b, double c) noexcept { return hypot(hypot(a, b), c); }
CUSIM_C_MATH double norm4d(double a, double b, double c, double d) noexcept {
    return hypot(hypot(a, b), hypot(c, d));
}
CUSIM_C_MATH double rnorm3d(double a, double b, double c) noexcept { return 1.0 / norm3d(a, b, c); }
CUSIM_C_MATH double rnorm4d(double a, double b, double c, double d) noexcept {
    return 1.0 / norm4d(a, b, c, d);
}

// Computing in double and rounding once is at least as accurate as the card.
CUSIM_C_MATH float rsqrtf(float x) noexcept { return static_cast<float>(rsqrt(double{x})); }
CUSIM_C_MATH float rcbrtf(float x) noexcept { return static_cast<float>(rcbrt(double{x})); }
CUSIM_C_MATH float sinpif(float x) noexcept { return static_cast<float>(sinpi(double{x})); }
CUSIM_C_MATH float cospif(float x) noexcept { return static_cast<float>(cospi(double{x})); }
CUSIM_C_MATH float normcdff(float x) noexcept { return static_cast<float>(normcdf(double{x})); }
CUSIM_C_MATH float rhypotf(float x, float y) noexcept {
    return static_cast<float>(rhypot(double{x}, double{y}));
}
CUSIM_C_MATH float norm3df(float a, float b, float c) noexcept {
    return static_cast<float>(norm3d(double{a}, double{b}, double{c}));
}
CUSIM_C_MATH float norm4df(float a, float b, float c, float d) noexcept {
    return static_cast<float>(norm4d(double{a}, double{b}, double{c}, double{d}));
}
CUSIM_C_MATH float rnorm3df(float a, float b, float c) noexcept {
    return static_cast<float>(rnorm3d(double{a}, double{b}, double{c}));
}
CUSIM_C_MATH float rnorm4df(float a, float b, float c, float d) noexcept {
    return static_cast<float>(rnorm4d(double{a}, double{b}, double{c}, double{d}));
}

// Overloads of the unsuffixed names for float, as the C++ library has them for sqrt.
CUSIM_UNCHECKED float rsqrt(float x) { return rsqrtf(x); }
CUSIM_UNCHECKED float rcbrt(float x) { return rcbrtf(x); }
CUSIM_UNCHECKED float sinpi(float x) { return sinpif(x); }
CUSIM_UNCHECKED float cospi(float x) { return cospif(x); }
CUSIM_UNCHECKED float exp10(float x) { return exp10f(x); }
CUSIM_UNCHECKED float normcdf(float x) { return normcdff(x); }
CUSIM_UNCHECKED float rhypot(float x, float y) { return rhypotf(x, y); }

// NaN becomes 0, as on the card.
CUSIM_UNCHECKED float __saturatef(float x) { return fminf(fmaxf(x, 0.0f), 1.0f); }

#undef CUSIM_C_MATH
