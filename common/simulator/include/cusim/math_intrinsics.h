// The intrinsics (names with two underscores) for arithmetic, bits and cached memory accesses.
#pragma once

#include <math.h>

#include "math_conversions.h"

// Arithmetic rounded to nearest, as the host computes (in other directions: math_rounding.h).
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

// The fast variants compute in full precision. On a card the last bits may differ (CUDA C++
// Programming Guide, "Intrinsic Functions").
CUSIM_UNCHECKED float __fdividef(float x, float y) { return x / y; }

// glibc's headers declare __expf and the like for its own use; linkage and noexcept must match
// them.
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
// Inlined, so that the stores count as the student's.
__attribute__((always_inline)) inline void __sincosf(float x, float* sine, float* cosine) noexcept {
    *sine = sinf(x);
    *cosine = cosf(x);
}
}

// Returns the low 32 bits of the product of the low 24 bits of each factor.
CUSIM_UNCHECKED unsigned int __umul24(unsigned int x, unsigned int y) {
    return (x & 0xffffffu) * (y & 0xffffffu);
}
CUSIM_UNCHECKED int __mul24(int x, int y) {
    const auto low24 = [](int v) {
        return static_cast<long long>(static_cast<int>(static_cast<unsigned int>(v) << 8) >> 8);
    };
    return static_cast<int>(static_cast<unsigned int>(low24(x) * low24(y)));
}
// Return the upper half of the double-width product.
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
// Return |x - y| + z; the subtraction is unsigned because the signed one can overflow.
CUSIM_UNCHECKED unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) {
    return (x > y ? x - y : y - x) + z;
}
CUSIM_UNCHECKED unsigned int __sad(int x, int y, unsigned int z) {
    const auto a = static_cast<unsigned int>(x), b = static_cast<unsigned int>(y);
    return (x > y ? a - b : b - a) + z;
}

// Return the mean of two numbers, rounded down or up (__rhadd), without overflow.
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

// Returns four of the eight bytes of x (0 to 3) and y (4 to 7), chosen by the four hexadecimal
// digits of `which`; a digit of 8 or more takes the sign of byte digit - 8.
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
// Return the upper half of high:low shifted left, the lower half of it shifted right.
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

// __clz(0) is the width; GCC's built-in is undefined for 0.
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

// Loads and stores with a cache hint are plain ones here.
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

// The value has the pointer's type, as with CUDA's overloads: __stcg(floats, 0) stores 0.0f.
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
