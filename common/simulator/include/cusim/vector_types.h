// dim3, uint3 and the built-in vector types, laid out as on the device.
#pragma once

#include "cusim/uncounted.h"

// Inlined, because g++ announces no store of a structure that a call returns: `P[i] =
// make_float4(...)` would go unseen.
#define CUSIM_INLINED __attribute__((always_inline)) inline constexpr

// The types stay aggregates, so that `float4 v = {1, 2, 3, 4}` works and `a[i] = v` is one copy,
// which the instrumentation reports as one access, as on a card. Vectors of two and four are
// aligned for one load instruction; vectors of one and three as their element.
#define CUSIM_VECTORS(element, name, align2, align4)                                            \
    struct name##1 {                                                                            \
        element x;                                                                              \
    };                                                                                          \
    struct alignas(align2) name##2 {                                                            \
        element x, y;                                                                           \
    };                                                                                          \
    struct name##3 {                                                                            \
        element x, y, z;                                                                        \
    };                                                                                          \
    struct alignas(align4) name##4 {                                                            \
        element x, y, z, w;                                                                     \
    };                                                                                          \
    CUSIM_INLINED name##1 make_##name##1(element x) { return {x}; }                             \
    CUSIM_INLINED name##2 make_##name##2(element x, element y) { return {x, y}; }               \
    CUSIM_INLINED name##3 make_##name##3(element x, element y, element z) { return {x, y, z}; } \
    CUSIM_INLINED name##4 make_##name##4(element x, element y, element z, element w) {          \
        return {x, y, z, w};                                                                    \
    }

CUSIM_VECTORS(signed char, char, 2, 4)
CUSIM_VECTORS(unsigned char, uchar, 2, 4)
CUSIM_VECTORS(short, short, 4, 8)
CUSIM_VECTORS(unsigned short, ushort, 4, 8)
CUSIM_VECTORS(int, int, 8, 16)
CUSIM_VECTORS(unsigned int, uint, 8, 16)
CUSIM_VECTORS(float, float, 8, 16)
// No access of a thread is wider than 16 bytes, so neither is the alignment of 8-byte elements.
CUSIM_VECTORS(long, long, 16, 16)
CUSIM_VECTORS(unsigned long, ulong, 16, 16)
CUSIM_VECTORS(long long, longlong, 16, 16)
CUSIM_VECTORS(unsigned long long, ulonglong, 16, 16)
CUSIM_VECTORS(double, double, 16, 16)

struct dim3 {
    unsigned int x, y, z;

    // Implicit, since `kernel<<<blocks, threads>>>` passes plain numbers.
    CUSIM_UNCHECKED constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
        : x(vx), y(vy), z(vz) {}
    CUSIM_UNCHECKED constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    CUSIM_UNCHECKED constexpr operator uint3() const { return {x, y, z}; }
};

#undef CUSIM_VECTORS
#undef CUSIM_INLINED
