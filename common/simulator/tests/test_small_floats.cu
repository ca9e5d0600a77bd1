// Tests half and bfloat16: each result is the exact one, rounded once.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "chosen_options.h"
#include "on_device.h"

namespace {

// Returns the nearest of all numbers of the format, found by search; of two, the even one.
template <class Number>
std::uint16_t nearest(long double exact, std::uint16_t infinite) {
    const std::uint16_t sign = std::signbit(exact) ? 0x8000 : 0;
    const long double size = std::fabs(exact);
    const auto value = [](unsigned bits) -> long double {
        return static_cast<float>(Number::ofBits(static_cast<unsigned short>(bits)));
    };
    unsigned low = 0, high = infinite;  // low <= size < high
    while (high - low > 1) {
        const unsigned middle = (low + high) / 2;
        (value(middle) <= size ? low : high) = middle;
    }
    // Infinity stands where the next number would.
    const long double above = high == infinite ? 2 * value(low) - value(low - 1) : value(high);
    const long double toLow = size - value(low), toHigh = above - size;
    const bool up = toHigh < toLow || (toHigh == toLow && low % 2 == 1) || size >= above;
    return static_cast<std::uint16_t>(sign | (up ? high : low));
}

// Compares the operations with the exact results for random numbers, near ones among them.
template <class Number>
int differences(std::uint16_t infinite, int pairs) {
    std::mt19937 random(7);
    int count = 0;
    const auto check = [&](Number got, long double exact) {
        if (std::isnan(exact))
            count += !__hisnan(got);
        else
            count += got.__x != nearest<Number>(exact, infinite);
    };
    for (int i = 0; i < pairs; ++i) {
        unsigned bits[3];
        for (unsigned& one : bits) one = random() & 0xffff;
        if (i % 2) bits[1] = (bits[0] & infinite) ^ (bits[1] & 0x80ff);
        Number n[3];
        long double x[3];
        bool finite = true;
        for (int k = 0; k < 3; ++k) {
            n[k] = Number::ofBits(static_cast<unsigned short>(bits[k]));
            x[k] = static_cast<float>(n[k]);
            finite &= std::isfinite(x[k]);
        }
        if (!finite) continue;
        check(n[0] + n[1], x[0] + x[1]);
        check(n[0] - n[1], x[0] - x[1]);
        check(n[0] * n[1], x[0] * x[1]);
        if (x[1] != 0) check(n[0] / n[1], x[0] / x[1]);
        // The long double holds these sums exactly.
        if (std::fabs(x[0] * x[1]) < 1e3L && std::fabs(x[2]) < 1e3L && std::fabs(x[2]) > 1e-3L)
            check(__hfma(n[0], n[1], n[2]), x[0] * x[1] + x[2]);
    }
    return count;
}

__global__ void halvesKernel(const __half* x, const half2* pairs, __half* y, half2* sums) {
    const int i = threadIdx.x;
    y[i] = x[i] * x[i] + __float2half(0.5f);
    sums[i] = __hadd2(pairs[i], __half2half2(x[i]));
    y[i] += __low2half(sums[i]);
}
__global__ void addKernel(__half* sum, __nv_bfloat162* both, int n) {
    atomicAdd(sum, __float2half(0.25f));
    atomicAdd(both, __floats2bfloat162_rn(1.0f, -2.0f));
}
__global__ void pastEndKernel(__half* x) { x[threadIdx.x] = x[threadIdx.x + 1]; }
__global__ void sharedKernel(const __half* x, float* y) {
    __shared__ __half s[32];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = s[31 - threadIdx.x];
}
__global__ void shuffleKernel(float* y) {
    const __half mine = __int2half_rn(threadIdx.x);
    y[threadIdx.x] = __half2float(__shfl_xor_sync(0xffffffffu, mine, 3));
}

}  // namespace

DEVICE_TEST("each operation on halves rounds the exact result once") {
    CHECK(differences<__half>(0x7c00, 4000) == 0);
}
DEVICE_TEST("each operation on bfloat16 numbers rounds the exact result once") {
    CHECK(differences<__nv_bfloat16>(0x7f80, 4000) == 0);
}

DEVICE_TEST("a number is converted up, down, to zero and to nearest, with CUDA's bits") {
    const auto bits = [](__half x) { return __half_as_ushort(x); };
    CHECK(bits(__float2half(1.0f)) == 0x3c00);
    CHECK(bits(__float2half(65519.996f)) == 0x7bff);
    CHECK(bits(__float2half(65520.0f)) == 0x7c00);
    CHECK(bits(__float2half(NAN)) == 0x7fff);
    CHECK(bits(__float2half(-0.0f)) == 0x8000);
    CHECK(bits(__float2half(5.9604645e-8f)) == 1);  // the smallest
    CHECK(bits(__float2half(2.98e-8f)) == 0);
    CHECK(bits(__float2half_ru(1.0001f)) == 0x3c01);
    CHECK(bits(__float2half_rd(1.0001f)) == 0x3c00);
    CHECK(bits(__float2half_ru(-1.0001f)) == 0xbc00);
    CHECK(bits(__float2half_rd(-1.0001f)) == 0xbc01);
    CHECK(bits(__float2half_rz(-1.0009f)) == 0xbc00);
    CHECK(bits(__float2half_rz(1e6f)) == 0x7bff);
    CHECK(bits(__float2half_rd(1e6f)) == 0x7bff);
    CHECK(bits(__float2half_ru(1e6f)) == 0x7c00);
    CHECK(bits(__float2half_rd(-1e6f)) == 0xfc00);
    CHECK(__bfloat16_as_ushort(__float2bfloat16(1.00390625f)) == 0x3f80);  // a tie, to even
    CHECK(__bfloat16_as_ushort(__float2bfloat16(3.4e38f)) == 0x7f80);
    CHECK(__half2int_rn(__float2half(2.5f)) == 2);
    CHECK(__half2int_rz(__float2half(-2.5f)) == -2);
    const float2 both = __half22float2(__lowhigh2highlow(__floats2half2_rn(1.5f, 2.5f)));
    CHECK(both.x == 2.5f);
    CHECK(both.y == 1.5f);
}

DEVICE_TEST("comparisons and functions of halves are as in CUDA") {
    const __half one = __float2half(1), two = __float2half(2), nan = __float2half(NAN);
    CHECK(__hlt(one, two));
    CHECK_FALSE(__hne(nan, one));
    CHECK(one != nan);
    CHECK(__half2float(__hmax(nan, one)) == 1.0f);
    CHECK(__hbge2(__half2half2(two), __floats2half2_rn(1, 2)));
    CHECK_FALSE(__hblt2(__half2half2(one), __floats2half2_rn(1, 2)));
    CHECK(__half2float(hsqrt(two)) == 1.4140625f);
    CHECK(__half2float(hexp(one)) == 2.71875f);
    CHECK(__half2float(__hneg(two)) == -2.0f);
    CHECK(__half2float(__hadd_sat(one, two)) == 1.0f);
    CHECK(__hisinf(__float2half(-1e9f)) == -1);
}

DEVICE_TEST("a kernel's accesses to halves are counted, and their bounds checked") {
    const OnDevice<__half> x(std::vector<__half>{1.0f, 2.0f, 3.0f, 4.0f}), y(4, __half(0.0f));
    const OnDevice<half2> pairs(4, half2(10.0f, 20.0f)), sums(4, half2(0.0f, 0.0f));
    halvesKernel<<<1, 4>>>(x, pairs, y, sums);
    CHECK(static_cast<float>(y.host()[2]) == 3 * 3 + 0.5f + 13);
    CHECK(static_cast<float>(sums.host()[3].y) == 24);
    const cusim::LaunchReport& launch = onlyLaunch();
    CHECK(launch.global().loadedBytes == 4u * (3 * 2 + 4 + 4 + 2));
    CHECK(launch.global().storedBytes == 4u * (2 + 4 + 2));
    cusim::reset();
    const OnDevice<__half> few(4, __half(0.0f));
    pastEndKernel<<<1, 4>>>(few);
    REQUIRE(cusim::findings().size() == 1);
    CHECK(onlyFinding().kind == "out-of-bounds");
}

TEST_CASE("one format is made of the other by a stated conversion") {
    CHECK(static_cast<float>(static_cast<__half>(__nv_bfloat16(1.0f / 3))) == 0x1.56p-2f);
    CHECK(static_cast<float>(static_cast<__nv_bfloat16>(__half(1.0f / 3))) == 0x1.56p-2f);
}

DEVICE_TEST("a kernel that takes halves has shared arrays") {
    std::vector<__half> numbers;
    for (int i = 0; i < 32; ++i) numbers.push_back(i);
    const OnDevice<__half> x(numbers);
    const OnDevice<float> y(32, 0.0f);
    sharedKernel<<<1, 32>>>(x, y);
    CHECK(y.host()[1] == 30.0f);
    CHECK(onlyLaunch().shared().stores == 32);
}

DEVICE_TEST("halves are added by atomics and exchanged between lanes") {
    const OnDevice<__half> sum(1, __half(0.0f));
    const OnDevice<__nv_bfloat162> both(1, __nv_bfloat162(0.0f, 0.0f));
    addKernel<<<2, 32>>>(sum, both, 64);
    CHECK(static_cast<float>(sum.host()[0]) == 16.0f);
    CHECK(static_cast<float>(both.host()[0].y) == -128.0f);
    CHECK(resultOf(shuffleKernel, 32, 1, 32)[4] == 7.0f);
    checkNothingFound();
}
