// The intrinsics (names with two underscores) for arithmetic, bits and cached loads.
#pragma once

#include <math.h>

#include "math_conversions.h"

#define CUSIM_UNCHECKED __attribute__((no_sanitize("thread"))) inline

// Only rounding to nearest, which is what the host computes with. The variants _rz, _ru and _rd of
// the arithmetic are left out rather than rounded wrongly.
CUSIM_UNCHECKED float __fadd_rn(float x, float y) { return x + y; }
CUSIM_UNCHECKED float __fsub_rn(float x, float y) { return x - y; }
CUSIM_UNCHECKED float __fmul_rn(float x, float y) { return x * y; }
CUSIM_UNCHECKED float __fdiv_rn(float x, float y) { return x / y; }
CUSIM_UNCHECKED float __fmaf_rn(float x, float y, float z) { return fmaf(x, y, z); }
CUSIM_UNCHECKED float __frcp_rn(float x) { return 1.0f / x; }
CUSIM_UNCHECKED float __fsqrt_rn(float x) { return sqrtf(x); }
CUSIM_UNCHECKED float __frsqrt_rn(float x) {
    return static_cast<float>(1.0 / sqrt(static_cast<double>(x)));
}
CUSIM_UNCHECKED double __dadd_rn(double x, double y) { return x + y; }
CUSIM_UNCHECKED double __dsub_rn(double x, double y) { return x - y; }
CUSIM_UNCHECKED double __dmul_rn(double x, double y) { return x * y; }
CUSIM_UNCHECKED double __ddiv_rn(double x, double y) { return x / y; }
CUSIM_UNCHECKED double __drcp_rn(double x) { return 1.0 / x; }
CUSIM_UNCHECKED double __dsqrt_rn(double x) { return sqrt(x); }
CUSIM_UNCHECKED double __fma_rn(double x, double y, double z) { return fma(x, y, z); }

// The fast variants are computed in full precision: a program that is right here may differ from
// the card in the last bits, as the guide allows for these functions.
CUSIM_UNCHECKED float __fdividef(float x, float y) { return x / y; }

// glibc's headers declare __expf and its like for its own use: linkage and noexcept must agree.
extern "C" {
CUSIM_UNCHECKED float __expf(float x) noexcept { return expf(x); }
CUSIM_UNCHECKED float __exp10f(float x) noexcept { return exp10f(x); }
CUSIM_UNCHECKED float __logf(float x) noexcept { return logf(x); }
CUSIM_UNCHECKED float __log2f(float x) noexcept { return log2f(x); }
CUSIM_UNCHECKED float __log10f(float x) noexcept { return log10f(x); }
CUSIM_UNCHECKED float __powf(float x, float y) noexcept { return powf(x, y); }
CUSIM_UNCHECKED float __sinf(float x) noexcept { return sinf(x); }
CUSIM_UNCHECKED float __cosf(float x) noexcept { return cosf(x); }
CUSIM_UNCHECKED float __tanf(float x) noexcept { return tanf(x); }
CUSIM_UNCHECKED float __tanhf(float x) noexcept { return tanhf(x); }
// What is stored by a pointer is the student's store, and seen in the function that calls.
__attribute__((always_inline)) inline void __sincosf(float x, float* sine, float* cosine) noexcept {
    *sine = sinf(x);
    *cosine = cosf(x);
}
}

// The low 24 bits of each factor, and of the product the low 32.
CUSIM_UNCHECKED unsigned int __umul24(unsigned int x, unsigned int y) {
    return (x & 0xffffffu) * (y & 0xffffffu);
}
CUSIM_UNCHECKED int __mul24(int x, int y) {
    const auto low24 = [](int v) {
        return static_cast<long long>(static_cast<int>(static_cast<unsigned int>(v) << 8) >> 8);
    };
    return static_cast<int>(static_cast<unsigned int>(low24(x) * low24(y)));
}
// The upper half of the double-width product.
CUSIM_UNCHECKED int __mulhi(int x, int y) {
    return static_cast<int>((static_cast<long long>(x) * y) >> 32);
}
CUSIM_UNCHECKED unsigned int __umulhi(unsigned int x, unsigned int y) {
    return static_cast<unsigned int>((static_cast<unsigned long long>(x) * y) >> 32);
}
CUSIM_UNCHECKED long long __mul64hi(long long x, long long y) {
    return static_cast<long long>((static_cast<__int128>(x) * y) >> 64);
}
CUSIM_UNCHECKED unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
    return static_cast<unsigned long long>((static_cast<unsigned __int128>(x) * y) >> 64);
}
// |x - y| + z; the subtraction is unsigned because the signed one can overflow.
CUSIM_UNCHECKED unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) {
    return (x > y ? x - y : y - x) + z;
}
CUSIM_UNCHECKED unsigned int __sad(int x, int y, unsigned int z) {
    const auto a = static_cast<unsigned int>(x), b = static_cast<unsigned int>(y);
    return (x > y ? a - b : b - a) + z;
}

// The mean of two, rounded down or up, without overflow.
CUSIM_UNCHECKED int __hadd(int x, int y) {
    return static_cast<int>((static_cast<long long>(x) + y) >> 1);
}
CUSIM_UNCHECKED int __rhadd(int x, int y) {
    return static_cast<int>((static_cast<long long>(x) + y + 1) >> 1);
}
CUSIM_UNCHECKED unsigned int __uhadd(unsigned int x, unsigned int y) {
    return static_cast<unsigned int>((static_cast<unsigned long long>(x) + y) >> 1);
}
CUSIM_UNCHECKED unsigned int __urhadd(unsigned int x, unsigned int y) {
    return static_cast<unsigned int>((static_cast<unsigned long long>(x) + y + 1) >> 1);
}

// Four of the eight bytes of x (0 to 3) and y (4 to 7), chosen by the four digits of `which`; with
// 8 in a digit, that byte's sign.
CUSIM_UNCHECKED unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int which) {
    const unsigned long long all = static_cast<unsigned long long>(y) << 32 | x;
    unsigned int out = 0;
    for (int i = 0; i < 4; ++i) {
        const unsigned int digit = which >> (4 * i) & 0xfu;
        unsigned int byte = static_cast<unsigned int>(all >> (8 * (digit & 7u))) & 0xffu;
        if (digit & 8u) byte = byte & 0x80u ? 0xffu : 0u;
        out |= byte << (8 * i);
    }
    return out;
}
// The upper half of high:low shifted to the left, the lower one shifted to the right.
CUSIM_UNCHECKED unsigned int __funnelshift_l(unsigned int low, unsigned int high,
                                             unsigned int shift) {
    const unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
    return static_cast<unsigned int>(both << (shift & 31u) >> 32);
}
CUSIM_UNCHECKED unsigned int __funnelshift_r(unsigned int low, unsigned int high,
                                             unsigned int shift) {
    const unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;
    return static_cast<unsigned int>(both >> (shift & 31u));
}

// GCC's count of leading zeros is undefined for 0, the card's is the width.
CUSIM_UNCHECKED int __popc(unsigned int x) { return __builtin_popcount(x); }
CUSIM_UNCHECKED int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
CUSIM_UNCHECKED int __clz(int x) {
    return x == 0 ? 32 : __builtin_clz(static_cast<unsigned int>(x));
}
CUSIM_UNCHECKED int __clzll(long long x) {
    return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}
CUSIM_UNCHECKED int __ffs(int x) { return __builtin_ffs(x); }
CUSIM_UNCHECKED int __ffsll(long long x) { return __builtin_ffsll(x); }
CUSIM_UNCHECKED unsigned int __brev(unsigned int x) {
    x = ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
    x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
    x = ((x >> 4) & 0x0f0f0f0fu) | ((x & 0x0f0f0f0fu) << 4);
    return __builtin_bswap32(x);
}
CUSIM_UNCHECKED unsigned long long __brevll(unsigned long long x) {
    return (static_cast<unsigned long long>(__brev(static_cast<unsigned int>(x))) << 32) |
           __brev(static_cast<unsigned int>(x >> 32));
}

#undef CUSIM_UNCHECKED

// Loads and stores with a cache hint are plain ones here, but they are the student's accesses: they
// must be instrumented, in the function that calls. Without optimization only always_inline puts
// them there. The line table still names this header, as for every inlined body; whoever asks for
// the place has to take the inlined call's, as placeOf in core/source_lines.h does.
#define CUSIM_AT_CALLER __attribute__((always_inline)) inline

#define CUSIM_LOAD(name)                       \
    template <class T>                         \
    CUSIM_AT_CALLER T name(const T* pointer) { \
        return *pointer;                       \
    }
CUSIM_LOAD(__ldg)
CUSIM_LOAD(__ldca)
CUSIM_LOAD(__ldcg)
CUSIM_LOAD(__ldcs)
CUSIM_LOAD(__ldcv)
CUSIM_LOAD(__ldlu)
#undef CUSIM_LOAD

// The value takes the pointer's type, as with CUDA's overloads: __stcg(floats, 0) stores 0.0f.
namespace cusim {

template <class T>
struct Same {
    using Type = T;
};

}  // namespace cusim

#define CUSIM_STORE(name)                                                        \
    template <class T>                                                           \
    CUSIM_AT_CALLER void name(T* pointer, typename cusim::Same<T>::Type value) { \
        *pointer = value;                                                        \
    }
CUSIM_STORE(__stwb)
CUSIM_STORE(__stcg)
CUSIM_STORE(__stcs)
CUSIM_STORE(__stwt)
#undef CUSIM_STORE

#undef CUSIM_AT_CALLER
