// Stands in for NVIDIA's header of the same name: random numbers in kernels, by XORWOW and by
// Philox4x32-10, the same draws as on a card. A call reads and writes the state as the kernel's own
// access.
#pragma once

#include "curand.h"
#include "cusim/random.h"

namespace cusim {

template <class Generator>
struct RandomState {
    Generator generator;
    // The second number of a pair, if it is still to be returned.
    float extra;
    double extraDouble;
    bool hasExtra, hasExtraDouble;
};

template <class G>
CUSIM_UNCHECKED float normalOf(RandomState<G>& state) {
    state.hasExtra = !state.hasExtra;
    if (!state.hasExtra) return state.extra;
    const unsigned x = nextOf(state.generator), y = nextOf(state.generator);
    const float2 pair = normalPair(x, y);
    state.extra = pair.y;
    return pair.x;
}
template <class G>
CUSIM_UNCHECKED double normalDoubleOf(RandomState<G>& state) {
    state.hasExtraDouble = !state.hasExtraDouble;
    if (!state.hasExtraDouble) return state.extraDouble;
    unsigned x[4];
    for (unsigned& one : x) one = nextOf(state.generator);
    const double2 pair = normalPairDouble(x[0], x[1], x[2], x[3]);
    state.extraDouble = pair.y;
    return pair.x;
}
CUSIM_UNCHECKED double uniformDoubleOf(Xorwow& generator) {
    const unsigned x = nextOf(generator), y = nextOf(generator);
    return uniformDouble(x, y);
}
CUSIM_UNCHECKED double uniformDoubleOf(Philox& generator) {
    return nextOf(generator) * 2.3283064365386963e-10 + 2.3283064365386963e-10;
}
// Counts the draws until their product is small (Knuth); cuRAND takes other draws.
template <class G>
CUSIM_UNCHECKED unsigned poissonOf(RandomState<G>& state, double lambda) {
    if (lambda > 500) {
        const double x = lambda + sqrt(lambda) * normalDoubleOf(state);
        return x > 0 ? static_cast<unsigned>(x + 0.5) : 0;
    }
    const double limit = exp(-lambda);
    double product = uniformDoubleOf(state.generator);
    unsigned count = 0;
    for (; product > limit; ++count) product *= uniformDoubleOf(state.generator);
    return count;
}

}  // namespace cusim

using curandStateXORWOW = cusim::RandomState<cusim::Xorwow>;
using curandStateXORWOW_t = curandStateXORWOW;
using curandState = curandStateXORWOW;
using curandState_t = curandStateXORWOW;
using curandStatePhilox4_32_10 = cusim::RandomState<cusim::Philox>;
using curandStatePhilox4_32_10_t = curandStatePhilox4_32_10;

template <class G>
CUSIM_AT_CALLER void curand_init(unsigned long long seed, unsigned long long subsequence,
                                 unsigned long long offset, cusim::RandomState<G>* state) {
    cusim::RandomState<G> made = {};
    cusim::seed(made.generator, seed, subsequence, offset);
    *state = made;
}

// Each takes the state, draws, and puts it back.
#define CUSIM_DRAW(result, name, expression)                    \
    template <class G>                                          \
    CUSIM_AT_CALLER result name(cusim::RandomState<G>* state) { \
        cusim::RandomState<G> own = *state;                     \
        const result drawn = expression;                        \
        *state = own;                                           \
        return drawn;                                           \
    }
CUSIM_DRAW(unsigned, curand, cusim::nextOf(own.generator))
CUSIM_DRAW(float, curand_uniform, cusim::uniform(cusim::nextOf(own.generator)))
CUSIM_DRAW(double, curand_uniform_double, cusim::uniformDoubleOf(own.generator))
CUSIM_DRAW(float, curand_normal, cusim::normalOf(own))
CUSIM_DRAW(double, curand_normal_double, cusim::normalDoubleOf(own))
#undef CUSIM_DRAW

template <class G>
CUSIM_AT_CALLER float2 curand_normal2(cusim::RandomState<G>* state) {
    const unsigned x = curand(state), y = curand(state);
    return cusim::normalPair(x, y);
}
template <class G>
CUSIM_AT_CALLER double2 curand_normal2_double(cusim::RandomState<G>* state) {
    const unsigned x0 = curand(state), x1 = curand(state), y0 = curand(state), y1 = curand(state);
    return cusim::normalPairDouble(x0, x1, y0, y1);
}
template <class G>
CUSIM_AT_CALLER float curand_log_normal(cusim::RandomState<G>* state, float mean, float deviation) {
    return expf(mean + deviation * curand_normal(state));
}
template <class G>
CUSIM_AT_CALLER double curand_log_normal_double(cusim::RandomState<G>* state, double mean,
                                                double deviation) {
    return exp(mean + deviation * curand_normal_double(state));
}
template <class G>
CUSIM_AT_CALLER unsigned curand_poisson(cusim::RandomState<G>* state, double lambda) {
    cusim::RandomState<G> own = *state;
    const unsigned drawn = cusim::poissonOf(own, lambda);
    *state = own;
    return drawn;
}

CUSIM_AT_CALLER uint4 curand4(curandStatePhilox4_32_10_t* state) {
    const unsigned x = curand(state), y = curand(state), z = curand(state), w = curand(state);
    return make_uint4(x, y, z, w);
}
CUSIM_AT_CALLER float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
    const uint4 x = curand4(state);
    return make_float4(cusim::uniform(x.x), cusim::uniform(x.y), cusim::uniform(x.z),
                       cusim::uniform(x.w));
}
CUSIM_AT_CALLER double2 curand_uniform2_double(curandStatePhilox4_32_10_t* state) {
    const uint4 x = curand4(state);
    return make_double2(cusim::uniformDouble(x.x, x.y), cusim::uniformDouble(x.z, x.w));
}
CUSIM_AT_CALLER float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
    const uint4 x = curand4(state);
    const float2 a = cusim::normalPair(x.x, x.y), b = cusim::normalPair(x.z, x.w);
    return make_float4(a.x, a.y, b.x, b.y);
}

CUSIM_AT_CALLER void skipahead(unsigned long long n, curandStateXORWOW_t* state) {
    curandStateXORWOW_t own = *state;
    cusim::skipXorwow(own.generator, n, false);
    *state = own;
}
CUSIM_AT_CALLER void skipahead_sequence(unsigned long long n, curandStateXORWOW_t* state) {
    curandStateXORWOW_t own = *state;
    cusim::skipXorwow(own.generator, n, true);
    *state = own;
}
CUSIM_AT_CALLER void skipahead(unsigned long long n, curandStatePhilox4_32_10_t* state) {
    curandStatePhilox4_32_10_t own = *state;
    cusim::skip(own.generator, n);
    *state = own;
}
CUSIM_AT_CALLER void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t* state) {
    curandStatePhilox4_32_10_t own = *state;
    cusim::advance(own.generator, n, true);
    *state = own;
}
