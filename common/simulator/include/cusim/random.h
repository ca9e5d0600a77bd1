// The two generators of cuRAND's device functions that courses use, on states of one's own: XORWOW
// (Marsaglia, "Xorshift RNGs", 2003) and Philox4x32-10 (Salmon and others, "Parallel random
// numbers: as easy as 1, 2, 3", 2011), seeded as cuRAND seeds them.
#pragma once

#include "cuda_runtime.h"

namespace cusim {

struct Xorwow {
    unsigned d, v[5];
};
struct Philox {
    uint4 counter, output;  // the next draw is output[next]
    uint2 key;
    unsigned next;
};

// Goes on by n steps, or by n times 2^67.
void skipXorwow(Xorwow& state, unsigned long long n, bool sequences);

CUSIM_UNCHECKED unsigned nextOf(Xorwow& state) {
    unsigned* const v = state.v;
    const unsigned t = v[0] ^ (v[0] >> 2);
    for (int i = 0; i < 4; ++i) v[i] = v[i + 1];
    v[4] = (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1));
    state.d += 362437;
    return v[4] + state.d;
}

CUSIM_UNCHECKED void seed(Xorwow& state, unsigned long long number, unsigned long long sequence,
                          unsigned long long offset) {
    const unsigned t0 = 1099087573u * (static_cast<unsigned>(number) ^ 0xaad26b49u);
    const unsigned t1 = 2591861531u * (static_cast<unsigned>(number >> 32) ^ 0xf7dcefddu);
    state = {6615241 + t1 + t0,
             {123456789u + t0, 362436069u ^ t0, 521288629u + t1, 88675123u ^ t1, 5783321u + t0}};
    skipXorwow(state, sequence, true);
    skipXorwow(state, offset, false);
}

CUSIM_UNCHECKED uint4 philox(uint4 counter, uint2 key) {
    for (int round = 0; round < 10; ++round) {
        const unsigned long long x = 0xD2511F53ull * counter.x, z = 0xCD9E8D57ull * counter.z;
        counter = {static_cast<unsigned>(z >> 32) ^ counter.y ^ key.x, static_cast<unsigned>(z),
                   static_cast<unsigned>(x >> 32) ^ counter.w ^ key.y, static_cast<unsigned>(x)};
        key.x += 0x9E3779B9u;
        key.y += 0xBB67AE85u;
    }
    return counter;
}

// Adds to the counter's lower or upper half. As cuRAND does it, a carry out of y goes into z.
CUSIM_UNCHECKED void advance(Philox& state, unsigned long long n, bool upper) {
    unsigned& low = upper ? state.counter.z : state.counter.x;
    unsigned& high = upper ? state.counter.w : state.counter.y;
    const unsigned long long before = static_cast<unsigned long long>(high) << 32 | low;
    low = static_cast<unsigned>(before + n);
    high = static_cast<unsigned>((before + n) >> 32);
    if (!upper && before + n < before && ++state.counter.z == 0) ++state.counter.w;
    state.output = philox(state.counter, state.key);
}
CUSIM_UNCHECKED unsigned ofOutput(const uint4& output, unsigned i) {
    return i == 0 ? output.x : i == 1 ? output.y : i == 2 ? output.z : output.w;
}
CUSIM_UNCHECKED unsigned nextOf(Philox& state) {
    const unsigned result = ofOutput(state.output, state.next++);
    if (state.next == 4) {
        advance(state, 1, false);
        state.next = 0;
    }
    return result;
}
CUSIM_UNCHECKED void skip(Philox& state, unsigned long long n) {
    state.next += n % 4;
    advance(state, n / 4 + state.next / 4, false);
    state.next %= 4;
}
CUSIM_UNCHECKED void seed(Philox& state, unsigned long long number, unsigned long long sequence,
                          unsigned long long offset) {
    state = {};
    state.key = {static_cast<unsigned>(number), static_cast<unsigned>(number >> 32)};
    advance(state, sequence, true);
    skip(state, offset);
}

// Numbers of (0, 1], and two of the normal distribution (Box and Muller), from draws.
CUSIM_UNCHECKED float uniform(unsigned x) {
    return static_cast<float>(x) * 2.3283064e-10f + 2.3283064e-10f / 2.0f;
}
CUSIM_UNCHECKED double uniformDouble(unsigned x, unsigned y) {
    const unsigned long long z = x ^ static_cast<unsigned long long>(y) << 21;
    return static_cast<double>(z) * 1.1102230246251565e-16 + 1.1102230246251565e-16 / 2.0;
}
CUSIM_UNCHECKED float2 normalPair(unsigned x, unsigned y) {
    constexpr float k2Pi = 2.3283064e-10f * 6.2831855f;
    const float u = uniform(x), v = static_cast<float>(y) * k2Pi + k2Pi / 2,
                s = sqrtf(-2.0f * logf(u));
    return {sinf(v) * s, cosf(v) * s};
}
CUSIM_UNCHECKED double2 normalPairDouble(unsigned x0, unsigned x1, unsigned y0, unsigned y1) {
    constexpr double kStep = 1.1102230246251565e-16;
    const unsigned long long zx = x0 ^ static_cast<unsigned long long>(x1) << 21;
    const unsigned long long zy = y0 ^ static_cast<unsigned long long>(y1) << 21;
    const double u = static_cast<double>(zx) * kStep + kStep / 2.0;
    const double v = static_cast<double>(zy) * (kStep * 2.0) + kStep;
    const double s = sqrt(-2.0 * log(u));
    return {sinpi(v) * s, cospi(v) * s};
}

}  // namespace cusim
