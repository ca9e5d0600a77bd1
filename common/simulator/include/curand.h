// Stands in for NVIDIA's header of the same name: whole arrays of random numbers. The host draws
// them, by XORWOW in the order of CURAND_ORDERING_PSEUDO_LEGACY, whichever generator is asked for:
// number n is the draw n / 4096 of sequence n % 4096. Normal numbers are made of pairs of draws,
// and need not be a card's.
#pragma once

#define CURAND_H_  // as NVIDIA's, for which programs ask

#include <vector>

#include "cusim/random.h"

enum curandStatus {
    CURAND_STATUS_SUCCESS = 0,
    CURAND_STATUS_VERSION_MISMATCH = 100,
    CURAND_STATUS_NOT_INITIALIZED = 101,
    CURAND_STATUS_ALLOCATION_FAILED = 102,
    CURAND_STATUS_TYPE_ERROR = 103,
    CURAND_STATUS_OUT_OF_RANGE = 104,
    CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
    CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
    CURAND_STATUS_LAUNCH_FAILURE = 201,
    CURAND_STATUS_PREEXISTING_FAILURE = 202,
    CURAND_STATUS_INITIALIZATION_FAILED = 203,
    CURAND_STATUS_ARCH_MISMATCH = 204,
    CURAND_STATUS_INTERNAL_ERROR = 999
};
using curandStatus_t = curandStatus;

enum curandRngType {
    CURAND_RNG_PSEUDO_DEFAULT = 100,
    CURAND_RNG_PSEUDO_XORWOW = 101,
    CURAND_RNG_PSEUDO_MRG32K3A = 121,
    CURAND_RNG_PSEUDO_MTGP32 = 141,
    CURAND_RNG_PSEUDO_MT19937 = 142,
    CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161
};
using curandRngType_t = curandRngType;
enum curandOrdering {
    CURAND_ORDERING_PSEUDO_BEST = 100,
    CURAND_ORDERING_PSEUDO_DEFAULT = 101,
    CURAND_ORDERING_PSEUDO_SEEDED = 102,
    CURAND_ORDERING_PSEUDO_LEGACY = 103
};
using curandOrdering_t = curandOrdering;

namespace cusim {

class RandomArray {
  public:
    explicit RandomArray(bool ofHost) : ofHost_(ofHost) {}

    void seedBy(unsigned long long number) {
        number_ = number;
        states_.clear();
    }
    void skipTo(unsigned long long offset) {
        next_ = offset;
        states_.clear();
    }
    // Stores n numbers: `make` draws `together` of them from a sequence, then from the next one.
    template <class T, class Make>
    curandStatus_t fill(T* target, std::size_t n, std::size_t together, Make make) {
        constexpr unsigned kSequences = 4096;
        if (n % together != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
        if (states_.empty())
            for (unsigned i = 0; i < kSequences; ++i) {
                states_.emplace_back();
                seed(states_[i], number_, i, (next_ + kSequences - 1 - i) / kSequences);
            }
        std::vector<T> numbers(n);
        for (std::size_t i = 0; i < n; i += together)
            make(states_[next_++ % kSequences], &numbers[i]);
        const cudaError_t error =
            cudaMemcpy(target, numbers.data(), n * sizeof(T),
                       ofHost_ ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice);
        return error == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
    }

  private:
    bool ofHost_;
    unsigned long long number_ = 0, next_ = 0;
    std::vector<Xorwow> states_;
};

}  // namespace cusim

using curandGenerator_t = cusim::RandomArray*;

inline curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t) {
    *generator = new cusim::RandomArray(false);
    return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t) {
    *generator = new cusim::RandomArray(true);
    return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
    delete generator;
    return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                         unsigned long long seed) {
    generator->seedBy(seed);
    return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator,
                                               unsigned long long offset) {
    generator->skipTo(offset);
    return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetGeneratorOrdering(curandGenerator_t, curandOrdering_t) {
    return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetStream(curandGenerator_t, cudaStream_t) {
    return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandGenerate(curandGenerator_t generator, unsigned* target, std::size_t n) {
    return generator->fill(target, n, 1,
                           [](cusim::Xorwow& from, unsigned* to) { *to = nextOf(from); });
}
inline curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* target,
                                            std::size_t n) {
    return generator->fill(
        target, n, 1, [](cusim::Xorwow& from, float* to) { *to = cusim::uniform(nextOf(from)); });
}
inline curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* target,
                                                  std::size_t n) {
    return generator->fill(target, n, 1, [](cusim::Xorwow& from, double* to) {
        const unsigned x = nextOf(from), y = nextOf(from);
        *to = cusim::uniformDouble(x, y);
    });
}
inline curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* target,
                                           std::size_t n, float mean, float deviation) {
    return generator->fill(target, n, 2, [=](cusim::Xorwow& from, float* to) {
        const unsigned x = nextOf(from), y = nextOf(from);
        const float2 pair = cusim::normalPair(x, y);
        to[0] = mean + deviation * pair.x;
        to[1] = mean + deviation * pair.y;
    });
}
inline curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* target,
                                                 std::size_t n, double mean, double deviation) {
    return generator->fill(target, n, 2, [=](cusim::Xorwow& from, double* to) {
        const unsigned x0 = nextOf(from), x1 = nextOf(from);
        const unsigned y0 = nextOf(from), y1 = nextOf(from);
        const double2 pair = cusim::normalPairDouble(x0, x1, y0, y1);
        to[0] = mean + deviation * pair.x;
        to[1] = mean + deviation * pair.y;
    });
}
