// Complex numbers of two floats or doubles, as in the toolkit's cuComplex.h; division and absolute
// value are scaled, so that they overflow only if their result does.
#pragma once

#include "cuda_runtime.h"

using cuFloatComplex = float2;
using cuDoubleComplex = double2;
using cuComplex = cuFloatComplex;

#define CUSIM_COMPLEX(Complex, Real, f)                                                        \
    CUSIM_AT_CALLER Complex make_##Complex(Real re, Real im) { return {re, im}; }              \
    CUSIM_AT_CALLER Real cuCreal##f(Complex x) { return x.x; }                                 \
    CUSIM_AT_CALLER Real cuCimag##f(Complex x) { return x.y; }                                 \
    CUSIM_AT_CALLER Complex cuConj##f(Complex x) { return {x.x, -x.y}; }                       \
    CUSIM_AT_CALLER Complex cuCadd##f(Complex x, Complex y) { return {x.x + y.x, x.y + y.y}; } \
    CUSIM_AT_CALLER Complex cuCsub##f(Complex x, Complex y) { return {x.x - y.x, x.y - y.y}; } \
    CUSIM_AT_CALLER Complex cuCmul##f(Complex x, Complex y) {                                  \
        return {x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x};                                 \
    }                                                                                          \
    CUSIM_AT_CALLER Complex cuCfma##f(Complex x, Complex y, Complex d) {                       \
        return {x.x * y.x + d.x - x.y * y.y, x.x * y.y + d.y + x.y * y.x};                     \
    }                                                                                          \
    CUSIM_AT_CALLER Complex cuCdiv##f(Complex x, Complex y) {                                  \
        const Real scale = 1 / (fabs##f(y.x) + fabs##f(y.y));                                  \
        const Real a = x.x * scale, b = x.y * scale, c = y.x * scale, d = y.y * scale;         \
        const Real square = 1 / (c * c + d * d);                                               \
        return {(a * c + b * d) * square, (b * c - a * d) * square};                           \
    }                                                                                          \
    CUSIM_AT_CALLER Real cuCabs##f(Complex x) { return hypot##f(x.x, x.y); }

CUSIM_COMPLEX(cuFloatComplex, float, f)
CUSIM_COMPLEX(cuDoubleComplex, double, )
#undef CUSIM_COMPLEX

CUSIM_AT_CALLER cuComplex make_cuComplex(float re, float im) { return {re, im}; }
CUSIM_AT_CALLER cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x) { return {x.x, x.y}; }
CUSIM_AT_CALLER cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x) {
    return {static_cast<float>(x.x), static_cast<float>(x.y)};
}
