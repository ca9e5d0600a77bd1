// More functions that device code may call without an include: those that take or give something by
// a pointer, and the special ones.
#pragma once

#include "math_functions.h"

CUSIM_AT_CALLER void sincospi(double x, double* sine, double* cosine) noexcept {
    *sine = sinpi(x);
    *cosine = cospi(x);
}
CUSIM_AT_CALLER void sincospif(float x, float* sine, float* cosine) noexcept {
    *sine = sinpif(x);
    *cosine = cospif(x);
}
// The C++ library has no overload for float.
CUSIM_AT_CALLER void sincos(float x, float* sine, float* cosine) { sincosf(x, sine, cosine); }

CUSIM_AT_CALLER double norm(int dim, const double* p) {
    double sum = 0;
    for (int i = 0; i < dim; ++i) sum += p[i] * p[i];
    return sqrt(sum);
}
CUSIM_AT_CALLER float normf(int dim, const float* p) {
    double sum = 0;
    for (int i = 0; i < dim; ++i) sum += double{p[i]} * double{p[i]};
    return static_cast<float>(sqrt(sum));
}
CUSIM_AT_CALLER double rnorm(int dim, const double* p) { return 1.0 / norm(dim, p); }
CUSIM_AT_CALLER float rnormf(int dim, const float* p) { return 1.0f / normf(dim, p); }

CUSIM_UNCHECKED float fdividef(float x, float y) { return x / y; }

// Computes a first guess (Winitzki), then Halley steps, each of which triples the digits.
CUSIM_UNCHECKED double erfcinv(double z) {
    if (!(z > 0.0 && z < 2.0)) return z == 0.0 ? HUGE_VAL : z == 2.0 ? -HUGE_VAL : NAN;
    const double ln = log(z) + log(2.0 - z), t = 4.330746750799873 + 0.5 * ln;
    double x = copysign(sqrt(sqrt(t * t - ln / 0.147) - t), 1.0 - z);
    for (int step = 0; step < 4; ++step) {
        const double error = erfc(x) - z;
        x += error / (1.1283791670955126 * exp(-x * x) - x * error);
    }
    return x;
}
CUSIM_UNCHECKED double erfinv(double y) {
    if (fabs(y) > 0.5) return copysign(erfcinv(1.0 - fabs(y)), y);
    double x = 0.886226925452758 * y;
    for (int step = 0; step < 6; ++step) {
        const double error = erf(x) - y;
        x -= error / (1.1283791670955126 * exp(-x * x) + x * error);
    }
    return x;
}
CUSIM_UNCHECKED double normcdfinv(double p) { return -1.4142135623730951 * erfcinv(2.0 * p); }
// Returns exp(x * x) * erfc(x); a series takes over where one factor overflows and the other
// vanishes.
CUSIM_UNCHECKED double erfcx(double x) {
    if (x < 20.0) return exp(x * x) * erfc(x);
    const double s = 0.5 / (x * x);
    return 0.5641895835477563 / x * (1.0 - s * (1.0 - 3.0 * s * (1.0 - 5.0 * s * (1.0 - 7.0 * s))));
}

namespace cusim {

// Returns the modified Bessel function of this order; the terms of its series are all positive.
CUSIM_UNCHECKED double besselI(int order, double x) {
    double term = order == 0 ? 1.0 : 0.5 * x, sum = term;
    for (int k = 1; k < 2000 && fabs(term) > 1e-18 * fabs(sum); ++k) {
        term *= 0.25 * x * x / (k * static_cast<double>(k + order));
        sum += term;
    }
    return sum;
}

}  // namespace cusim

CUSIM_UNCHECKED double cyl_bessel_i0(double x) { return cusim::besselI(0, x); }
CUSIM_UNCHECKED double cyl_bessel_i1(double x) { return cusim::besselI(1, x); }

#define CUSIM_SINGLE(name) \
    CUSIM_UNCHECKED float name##f(float x) { return static_cast<float>(name(double{x})); }
CUSIM_SINGLE(erfcinv)
CUSIM_SINGLE(erfinv)
CUSIM_SINGLE(normcdfinv)
CUSIM_SINGLE(erfcx)
CUSIM_SINGLE(cyl_bessel_i0)
CUSIM_SINGLE(cyl_bessel_i1)
#undef CUSIM_SINGLE
