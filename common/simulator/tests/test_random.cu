// Tests random numbers in kernels. The expected draws are those of cuRAND's curand_kernel.h (CUDA
// 13.0), compiled for the host by nvcc.
#include <curand.h>
#include <curand_kernel.h>

#include <cmath>
#include <vector>

#include "chosen_options.h"
#include "on_device.h"

namespace {

template <class State>
__global__ void drawKernel(unsigned* y, int sequence, int offset) {
    State state;
    curand_init(1234, sequence, offset, &state);
    for (int i = 0; i < 6; ++i) y[i] = curand(&state);
}

template <class State>
__global__ void numbersKernel(double* y) {
    State state;
    curand_init(0, 0, 6, &state);
    y[0] = curand_uniform(&state);
    y[1] = curand_uniform_double(&state);
    y[2] = curand_normal(&state);
    y[3] = curand_normal(&state);
    y[4] = curand_normal_double(&state);
}

__global__ void initKernel(curandState* states, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) curand_init(7, i, 0, &states[i]);
}
// Each thread draws from a state of its own, or all from the first.
__global__ void meanKernel(curandState* states, float* sums, int draws, bool own) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int d = 0; d < draws; ++d) sum += curand_uniform(&states[own ? i : 0]);
    sums[i] = sum;
}

__global__ void skipKernel(unsigned* y) {
    curandStatePhilox4_32_10_t skipped, stepped;
    curand_init(5, 2, 3, &skipped);
    stepped = skipped;
    skipahead(10, &skipped);
    for (int i = 0; i < 10; ++i) curand(&stepped);
    const uint4 four = curand4(&stepped);
    y[0] = curand(&skipped) == four.x;
    curandState a, b;
    curand_init(5, 2, 3, &a);
    b = a;
    skipahead(1000, &a);
    for (int i = 0; i < 1000; ++i) curand(&b);
    y[1] = curand(&a) == curand(&b);
}

using Draws = std::vector<unsigned>;

}  // namespace

DEVICE_TEST("draws of XORWOW are cuRAND's, for any sequence and offset") {
    const auto draws = [](int sequence, int offset) {
        return resultOf(drawKernel<curandStateXORWOW_t>, 6, 1, 1, sequence, offset);
    };
    CHECK(draws(0, 0) ==
          Draws{624778773, 1867875844, 3739671282, 1954919316, 3681184389, 2501467243});
    CHECK(draws(7, 6) ==
          Draws{906701663, 1924992985, 1459886507, 3353540823, 1869013896, 491359779});
    CHECK(draws(123456, 100000) ==
          Draws{2179840566, 1918266014, 1052605151, 4136156816, 1403658381, 1695798064});
}

DEVICE_TEST("draws of Philox are cuRAND's, for any sequence and offset") {
    const auto draws = [](int sequence, int offset) {
        return resultOf(drawKernel<curandStatePhilox4_32_10_t>, 6, 1, 1, sequence, offset);
    };
    CHECK(draws(0, 0) ==
          Draws{546353992, 3665621163, 1140953199, 3419031310, 2666454581, 482218876});
    CHECK(draws(7, 6) ==
          Draws{3571722420, 296027329, 3990533219, 711373462, 3601287622, 1545882237});
    CHECK(draws(123456, 100000) ==
          Draws{387874623, 450471832, 3095238923, 2390660631, 104026521, 2552437467});
}

DEVICE_TEST("uniform and normal numbers are made of the draws as cuRAND makes them") {
    const auto near = [](const std::vector<double>& got, const std::vector<double>& expected) {
        for (int i = 0; i < 5; ++i) {
            INFO("number " << i << " is " << got[i]);
            CHECK(std::abs(got[i] - expected[i]) < 1e-7);
        }
    };
    near(resultOf(numbersKernel<curandStateXORWOW_t>, 5, 1, 1),
         {0.227643266, 0.14406516578192247, -0.927174926, 1.57642365, -0.18590160600548308});
    near(resultOf(numbersKernel<curandStatePhilox4_32_10_t>, 5, 1, 1),
         {0.693930924, 0.037094080820679665, 2.54409719, -1.18635809, 0.82078075640742854});
    CHECK(resultOf(skipKernel, 2, 1, 1) == Draws{1, 1});
    checkNothingFound();
}

DEVICE_TEST("each thread draws from its own state; from one state of all they race") {
    const int n = 64;
    const OnDevice<curandState> states(n);
    const OnDevice<float> sums(n, 0.0f);
    initKernel<<<2, 32>>>(states, n);
    meanKernel<<<2, 32>>>(states, sums, 100, true);
    double mean = 0;
    for (const float sum : sums.host()) mean += sum / (100.0 * n);
    CHECK(std::abs(mean - 0.5) < 0.02);
    checkNothingFound();
    meanKernel<<<1, 32>>>(states, sums, 2, false);
    REQUIRE_FALSE(cusim::findings().empty());
    CHECK(cusim::findings()[0].kind == "race");
}

DEVICE_TEST("an array is filled in cuRAND's legacy order, call after call") {
    const int n = 5000;
    const OnDevice<unsigned> draws(n);
    const OnDevice<float> uniform(n), normal(n);
    curandGenerator_t generator = nullptr;
    REQUIRE(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT) == CURAND_STATUS_SUCCESS);
    curandSetPseudoRandomGeneratorSeed(generator, 1234);
    CHECK(curandGenerate(generator, draws, 4096) == CURAND_STATUS_SUCCESS);
    CHECK(curandGenerate(generator, draws + 4096, n - 4096) == CURAND_STATUS_SUCCESS);
    const Draws all = draws.host();
    CHECK(all[0] == 624778773);      // of sequence 0, the first
    CHECK(all[4096] == 1867875844);  // and the second
    CHECK(all[7] == resultOf(drawKernel<curandState>, 6, 1, 1, 7, 0)[0]);
    curandSetPseudoRandomGeneratorSeed(generator, 1234);
    curandSetGeneratorOffset(generator, 4096);
    curandGenerateUniform(generator, uniform, n);
    CHECK(uniform.host()[0] == 1867875844 * 2.3283064e-10f + 2.3283064e-10f / 2.0f);
    curandSetGeneratorOffset(generator, 0);
    CHECK(curandGenerateNormal(generator, normal, n, 0.0f, 1.0f) == CURAND_STATUS_SUCCESS);
    const std::vector<float> pairs = normal.host();  // as libcurand's host generator has them
    CHECK(std::abs(pairs[1] - -1.80157816f) < 1e-6f);
    CHECK(std::abs(pairs[2] - -0.280848563f) < 1e-6f);
    CHECK(std::abs(pairs[4096] - 1.93902695f) < 1e-6f);
    CHECK(curandGenerateNormal(generator, normal, 3, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
    CHECK(curandDestroyGenerator(generator) == CURAND_STATUS_SUCCESS);
    checkNothingFound();
}
