// Numbers of 16 bits: half (cuda_fp16.h) and bfloat16 (cuda_bf16.h). Each operation rounds once, to
// nearest with ties to even, as a card does; a result that is no number is 0x7fff.
#pragma once

#include <cmath>
#include <cstring>
#include <type_traits>

#include "cuda_runtime.h"
#include "cusim/small_formats.h"

namespace cusim {

// Returns a * b + c rounded once. The double's last bit is made odd where it does not hold all, so
// that no tie comes of what it has lost.
template <class Format>
CUSIM_UNCHECKED unsigned short smallFma(float a, float b, float c) {
    const double product = static_cast<double>(a) * static_cast<double>(b), other = c;
    double sum = product + other;
    if (std::isfinite(sum)) {
        const double back = sum - product;
        const double lost = (product - (sum - back)) + (other - back);
        if (lost != 0 && (bitsAs<unsigned long long>(sum) & 1) == 0)
            sum = std::nextafter(sum, lost > 0 ? HUGE_VAL : -HUGE_VAL);
    }
    return smallBits<Format>(sum);
}

template <class Format>
struct alignas(2) Small {
    unsigned short __x;

    Small() = default;
    template <class Number, std::enable_if_t<std::is_arithmetic_v<Number>, int> = 0>
    CUSIM_AT_CALLER Small(Number value) : __x(smallBits<Format>(static_cast<double>(value))) {}
    template <class Other>
    CUSIM_AT_CALLER explicit Small(const Small<Other>& value) : Small(static_cast<float>(value)) {}
    CUSIM_AT_CALLER operator float() const { return smallValue<Format>(__x); }

    CUSIM_AT_CALLER static Small ofBits(unsigned short bits) {
        Small result;
        result.__x = bits;
        return result;
    }
    CUSIM_AT_CALLER static Small rounded(double value, int toward = 0) {
        return ofBits(smallBits<Format>(value, toward));
    }

#define CUSIM_ARITHMETIC(op)                                                   \
    friend CUSIM_AT_CALLER Small operator op(const Small& a, const Small& b) { \
        return rounded(static_cast<double>(smallValue<Format>(a.__x))          \
                           op static_cast<double>(smallValue<Format>(b.__x))); \
    }                                                                          \
    friend CUSIM_AT_CALLER Small& operator op##=(Small& a, const Small& b) { return a = a op b; }
    CUSIM_ARITHMETIC(+)
    CUSIM_ARITHMETIC(-)
    CUSIM_ARITHMETIC(*)
    CUSIM_ARITHMETIC(/)
#undef CUSIM_ARITHMETIC
#define CUSIM_COMPARISON(op)                                                  \
    friend CUSIM_AT_CALLER bool operator op(const Small& a, const Small& b) { \
        return smallValue<Format>(a.__x) op smallValue<Format>(b.__x);        \
    }
    CUSIM_COMPARISON(==)
    CUSIM_COMPARISON(!=)
    CUSIM_COMPARISON(<)
    CUSIM_COMPARISON(>)
    CUSIM_COMPARISON(<=)
    CUSIM_COMPARISON(>=)
#undef CUSIM_COMPARISON
    CUSIM_AT_CALLER Small operator-() const {
        return ofBits(static_cast<unsigned short>(__x ^ 0x8000));
    }
    CUSIM_AT_CALLER Small operator+() const { return *this; }
    CUSIM_AT_CALLER Small& operator++() { return *this = *this + Small(1); }
    CUSIM_AT_CALLER Small& operator--() { return *this = *this - Small(1); }
};

// Two of them in one word, on which each operation works apart.
template <class Format>
struct alignas(4) Small2 {
    Small<Format> x, y;

    Small2() = default;
    CUSIM_AT_CALLER Small2(const Small<Format>& low, const Small<Format>& high) : x(low), y(high) {}

#define CUSIM_ARITHMETIC(op)                                                      \
    friend CUSIM_AT_CALLER Small2 operator op(const Small2& a, const Small2& b) { \
        return {a.x op b.x, a.y op b.y};                                          \
    }                                                                             \
    friend CUSIM_AT_CALLER Small2& operator op##=(Small2& a, const Small2& b) { return a = a op b; }
    CUSIM_ARITHMETIC(+)
    CUSIM_ARITHMETIC(-)
    CUSIM_ARITHMETIC(*)
    CUSIM_ARITHMETIC(/)
#undef CUSIM_ARITHMETIC
    CUSIM_AT_CALLER Small2 operator-() const { return {-x, -y}; }
    friend CUSIM_AT_CALLER bool operator==(const Small2& a, const Small2& b) {
        return a.x == b.x && a.y == b.y;
    }
};

}  // namespace cusim

// Functions with one name for both formats: of one number, and of two with a 2 in the name.
#define CUSIM_SMALL    \
    template <class F> \
    CUSIM_AT_CALLER
#define CUSIM_BOTH(name, expression)                                                              \
    CUSIM_SMALL cusim::Small<F> name(cusim::Small<F> a, cusim::Small<F> b) { return expression; } \
    CUSIM_SMALL cusim::Small2<F> name##2(cusim::Small2<F> a, cusim::Small2<F> b) {                \
        return {name(a.x, b.x), name(a.y, b.y)};                                                  \
    }
CUSIM_BOTH(__hadd, a + b)
CUSIM_BOTH(__hsub, a - b)
CUSIM_BOTH(__hmul, a* b)
CUSIM_BOTH(__hadd_rn, a + b)
CUSIM_BOTH(__hsub_rn, a - b)
CUSIM_BOTH(__hmul_rn, a* b)
CUSIM_BOTH(__hmax, cusim::Small<F>(fmaxf(a, b)))
CUSIM_BOTH(__hmin, cusim::Small<F>(fminf(a, b)))
CUSIM_BOTH(__hadd_sat, cusim::Small<F>(__saturatef(a + b)))
CUSIM_BOTH(__hsub_sat, cusim::Small<F>(__saturatef(a - b)))
CUSIM_BOTH(__hmul_sat, cusim::Small<F>(__saturatef(a* b)))
#undef CUSIM_BOTH
CUSIM_SMALL cusim::Small<F> __hdiv(cusim::Small<F> a, cusim::Small<F> b) { return a / b; }
CUSIM_SMALL cusim::Small2<F> __h2div(cusim::Small2<F> a, cusim::Small2<F> b) { return a / b; }
CUSIM_SMALL cusim::Small<F> __hfma(cusim::Small<F> a, cusim::Small<F> b, cusim::Small<F> c) {
    return cusim::Small<F>::ofBits(cusim::smallFma<F>(a, b, c));
}
CUSIM_SMALL cusim::Small2<F> __hfma2(cusim::Small2<F> a, cusim::Small2<F> b, cusim::Small2<F> c) {
    return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}

#define CUSIM_COMPARE(name, op)                                                         \
    CUSIM_SMALL bool __h##name(cusim::Small<F> a, cusim::Small<F> b) { return a op b; } \
    CUSIM_SMALL cusim::Small2<F> __h##name##2(cusim::Small2<F> a, cusim::Small2<F> b) { \
        return {cusim::Small<F>(a.x op b.x), cusim::Small<F>(a.y op b.y)};              \
    }                                                                                   \
    CUSIM_SMALL bool __hb##name##2(cusim::Small2<F> a, cusim::Small2<F> b) {            \
        return a.x op b.x && a.y op b.y;                                                \
    }
CUSIM_COMPARE(eq, ==)
CUSIM_COMPARE(lt, <)
CUSIM_COMPARE(le, <=)
CUSIM_COMPARE(gt, >)
CUSIM_COMPARE(ge, >=)
#undef CUSIM_COMPARE
// Unlike the others, this is false if one is NaN.
CUSIM_SMALL bool __hne(cusim::Small<F> a, cusim::Small<F> b) { return a == a && b == b && a != b; }
CUSIM_SMALL bool __hisnan(cusim::Small<F> a) { return a != a; }
CUSIM_SMALL int __hisinf(cusim::Small<F> a) {
    return !std::isinf(static_cast<float>(a)) ? 0 : a.__x & 0x8000 ? -1 : 1;
}

// In double, then rounded. A card approximates those that are no plain arithmetic, so that the last
// bit may differ there.
#define CUSIM_FUNCTION(name, expression)                        \
    CUSIM_SMALL cusim::Small<F> h##name(cusim::Small<F> a) {    \
        const double x = static_cast<float>(a);                 \
        return cusim::Small<F>::rounded(expression);            \
    }                                                           \
    CUSIM_SMALL cusim::Small2<F> h2##name(cusim::Small2<F> a) { \
        return {h##name(a.x), h##name(a.y)};                    \
    }
CUSIM_FUNCTION(sqrt, ::sqrt(x))
CUSIM_FUNCTION(rsqrt, 1.0 / ::sqrt(x))
CUSIM_FUNCTION(rcp, 1.0 / x)
CUSIM_FUNCTION(exp, ::exp(x))
CUSIM_FUNCTION(exp2, ::exp2(x))
CUSIM_FUNCTION(exp10, ::exp10(x))
CUSIM_FUNCTION(log, ::log(x))
CUSIM_FUNCTION(log2, ::log2(x))
CUSIM_FUNCTION(log10, ::log10(x))
CUSIM_FUNCTION(sin, ::sin(x))
CUSIM_FUNCTION(cos, ::cos(x))
CUSIM_FUNCTION(tanh, ::tanh(x))
CUSIM_FUNCTION(floor, ::floor(x))
CUSIM_FUNCTION(ceil, ::ceil(x))
CUSIM_FUNCTION(trunc, ::trunc(x))
CUSIM_FUNCTION(rint, ::rint(x))
#undef CUSIM_FUNCTION
#define CUSIM_BITS(name, expression)                                             \
    CUSIM_SMALL cusim::Small<F> name(cusim::Small<F> a) {                        \
        return cusim::Small<F>::ofBits(static_cast<unsigned short>(expression)); \
    }                                                                            \
    CUSIM_SMALL cusim::Small2<F> name##2(cusim::Small2<F> a) { return {name(a.x), name(a.y)}; }
CUSIM_BITS(__hneg, a.__x ^ 0x8000)
CUSIM_BITS(__habs, a.__x & 0x7fff)
#undef CUSIM_BITS
CUSIM_SMALL float __low2float(cusim::Small2<F> a) { return a.x; }
CUSIM_SMALL float __high2float(cusim::Small2<F> a) { return a.y; }

// An atomic addition rounds as a plain one.
template <class F>
CUSIM_UNCOUNTED cusim::Small<F> atomicAdd(cusim::Small<F>* address, cusim::Small<F> value) {
    cusim::atomicAccess(address, sizeof *address, __builtin_return_address(0));
    CUSIM_UPDATE(cusim::Small<F>, old + value)
}
template <class F>
CUSIM_UNCOUNTED cusim::Small2<F> atomicAdd(cusim::Small2<F>* address, cusim::Small2<F> value) {
    cusim::atomicAccess(address, sizeof *address, __builtin_return_address(0));
    CUSIM_UPDATE(cusim::Small2<F>, old + value)
}

// Functions whose names have the format in them: `one` and `two` are the types.
#define CUSIM_CONVERSIONS(name, one, two)                                                    \
    CUSIM_AT_CALLER one __float2##name(float x) { return one(x); }                           \
    CUSIM_AT_CALLER one __float2##name##_rn(float x) { return one(x); }                      \
    CUSIM_AT_CALLER one __float2##name##_rz(float x) { return one::rounded(x, 2); }          \
    CUSIM_AT_CALLER one __float2##name##_ru(float x) { return one::rounded(x, 1); }          \
    CUSIM_AT_CALLER one __float2##name##_rd(float x) { return one::rounded(x, -1); }         \
    CUSIM_AT_CALLER one __double2##name(double x) { return one(x); }                         \
    CUSIM_AT_CALLER one __int2##name##_rn(int x) { return one(x); }                          \
    CUSIM_AT_CALLER one __uint2##name##_rn(unsigned x) { return one(x); }                    \
    CUSIM_AT_CALLER one __short2##name##_rn(short x) { return one(x); }                      \
    CUSIM_AT_CALLER one __ushort2##name##_rn(unsigned short x) { return one(x); }            \
    CUSIM_AT_CALLER float __##name##2float(one x) { return x; }                              \
    CUSIM_AT_CALLER int __##name##2int_rn(one x) { return __float2int_rn(x); }               \
    CUSIM_AT_CALLER int __##name##2int_rz(one x) { return __float2int_rz(x); }               \
    CUSIM_AT_CALLER int __##name##2int_ru(one x) { return __float2int_ru(x); }               \
    CUSIM_AT_CALLER int __##name##2int_rd(one x) { return __float2int_rd(x); }               \
    CUSIM_AT_CALLER unsigned __##name##2uint_rn(one x) { return __float2uint_rn(x); }        \
    CUSIM_AT_CALLER unsigned __##name##2uint_rz(one x) { return __float2uint_rz(x); }        \
    CUSIM_AT_CALLER unsigned short __##name##_as_ushort(one x) { return x.__x; }             \
    CUSIM_AT_CALLER short __##name##_as_short(one x) { return static_cast<short>(x.__x); }   \
    CUSIM_AT_CALLER one __ushort_as_##name(unsigned short x) { return one::ofBits(x); }      \
    CUSIM_AT_CALLER one __short_as_##name(short x) {                                         \
        return one::ofBits(static_cast<unsigned short>(x));                                  \
    }                                                                                        \
    CUSIM_AT_CALLER two __float2##name##2_rn(float x) { return {one(x), one(x)}; }           \
    CUSIM_AT_CALLER two __floats2##name##2_rn(float x, float y) { return {one(x), one(y)}; } \
    CUSIM_AT_CALLER two __float22##name##2_rn(float2 v) { return {one(v.x), one(v.y)}; }     \
    CUSIM_AT_CALLER float2 __##name##22float2(two v) {                                       \
        return make_float2(static_cast<float>(v.x), static_cast<float>(v.y));                \
    }                                                                                        \
    CUSIM_AT_CALLER two __##name##2##name##2(one x) { return {x, x}; }                       \
    CUSIM_AT_CALLER two make_##name##2(one x, one y) { return {x, y}; }                      \
    CUSIM_AT_CALLER one __low2##name(two v) { return v.x; }                                  \
    CUSIM_AT_CALLER one __high2##name(two v) { return v.y; }                                 \
    CUSIM_AT_CALLER two __low2##name##2(two v) { return {v.x, v.x}; }                        \
    CUSIM_AT_CALLER two __high2##name##2(two v) { return {v.y, v.y}; }
