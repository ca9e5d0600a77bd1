#include <algorithm>
#include <climits>
#include <cmath>
#include <limits>
#include <type_traits>

#include "simulator/include/cusim/math_intrinsics.h"
#include "simulator/include/cusim/math_rounding.h"
#include "simulator/include/cusim/math_special.h"
#include "simulator/include/cusim/vector_types.h"
#include "simulator/include/math_constants.h"
#include "testing/catch.h"

namespace {

const float nanF = std::numeric_limits<float>::quiet_NaN();
const float infinityF = std::numeric_limits<float>::infinity();

template <class T>
constexpr bool laidOut(std::size_t size, std::size_t alignment) {
    return sizeof(T) == size && alignof(T) == alignment && std::is_aggregate_v<T> &&
           std::is_trivially_copyable_v<T> && std::is_standard_layout_v<T>;
}

bool near(double a, double b, double tolerance) { return std::fabs(a - b) <= tolerance; }

// Like a .cu file that opens std: both sets of names are visible.
namespace with_std {
using namespace std;
int smaller(int a, int b) { return min(a, b); }
int larger(int a, int b) { return max(a, b); }
int smallerOfConstants() { return min(1, 2); }
float larger(float a, float b) { return max(a, b); }
int qualified(int a, int b) { return std::min(a, b) + std::max(a, b); }
float root(float x) { return sqrt(x) + abs(-x) + sqrtf(x); }
}  // namespace with_std

}  // namespace

TEST_CASE("Vector types have CUDA's sizes and alignments") {
    CHECK(laidOut<char1>(1, 1));
    CHECK(laidOut<char2>(2, 2));
    CHECK(laidOut<char3>(3, 1));
    CHECK(laidOut<char4>(4, 4));
    CHECK(laidOut<uchar4>(4, 4));
    CHECK(laidOut<short2>(4, 4));
    CHECK(laidOut<short3>(6, 2));
    CHECK(laidOut<ushort4>(8, 8));
    CHECK(laidOut<int2>(8, 8));
    CHECK(laidOut<int4>(16, 16));
    CHECK(laidOut<uint3>(12, 4));
    CHECK(laidOut<uint4>(16, 16));
    CHECK(laidOut<long2>(16, 16));
    CHECK(laidOut<ulong4>(32, 16));
    CHECK(laidOut<longlong2>(16, 16));
    CHECK(laidOut<ulonglong3>(24, 8));
    CHECK(laidOut<float2>(8, 8));
    CHECK(laidOut<float3>(12, 4));
    CHECK(laidOut<float4>(16, 16));
    CHECK(laidOut<double2>(16, 16));
    CHECK(laidOut<double3>(24, 8));
    CHECK(laidOut<double4>(32, 16));
}

TEST_CASE("A char vector holds signed elements on every machine") {
    CHECK(std::is_same_v<decltype(char4{}.x), signed char>);
    CHECK(make_char2(-1, -128).y == -128);
}

TEST_CASE("Vectors can be written as lists, made by functions and assigned as a whole") {
    const float4 zero{};
    CHECK(zero.w == 0.0f);
    float4 v = {1, 2, 3, 4};
    v = make_float4(5, 6, 7, 8);
    CHECK(v.w == 8.0f);
    double3 array[2] = {};
    array[1] = make_double3(1.5, 2.5, 3.5);
    CHECK(array[1].y == 2.5);
    constexpr int2 pair = make_int2(-3, 4);
    static_assert(pair.x + pair.y == 1, "known at compile time");
    CHECK(make_ulonglong2(1, ULLONG_MAX).y == ULLONG_MAX);
}

TEST_CASE("dim3 fills up with ones and converts to uint3 and back") {
    constexpr dim3 none;
    static_assert(none.x * none.y * none.z == 1, "known at compile time");
    const dim3 one = 7;
    CHECK(one.x == 7);
    CHECK(one.z == 1);
    const dim3 two(4, 5);
    CHECK(two.y == 5);
    CHECK(two.z == 1);
    const uint3 plain = dim3(1, 2, 3);
    CHECK(plain.z == 3);
    CHECK(dim3(plain).y == 2);
    CHECK(sizeof(dim3) == 12);
}

TEST_CASE("Arithmetic rounds toward zero, up and down where its name says so") {
    CHECK(__fadd_ru(1.0f, 1e-20f) == 0x1.000002p+0f);
    CHECK(__fadd_rd(1.0f, 1e-20f) == 1.0f);
    CHECK(__fadd_rz(-1.0f, 1e-20f) == -0x1.fffffep-1f);
    CHECK(__fsub_rd(1.0f, 1e-20f) == 0x1.fffffep-1f);
    constexpr long long large = (1ll << 53) + 1;
    CHECK(__ll2double_ru(large) == 0x1.0000000000001p+53);
    CHECK(__ll2double_rd(-large) == -0x1.0000000000001p+53);
    CHECK(__ll2double_rz(-large) == -0x1p+53);
    CHECK(__ll2float_rz(large) == 0x1p+53f);
    CHECK(__ll2float_ru(large) == 0x1.000002p+53f);
    CHECK(__ull2float_ru(~0ull) == 0x1p+64f);
    CHECK(__ull2float_rz(~0ull) == 0x1.fffffep+63f);
    CHECK(__ull2double_rd(~0ull) == 0x1.fffffffffffffp+63);
    CHECK(__fdiv_ru(1.0f, 3.0f) == 0x1.555556p-2f);
    CHECK(__fdiv_rd(1.0f, 3.0f) == 0x1.555554p-2f);
    CHECK(__fmaf_ru(1.0f, 1.0f, 1e-30f) == 0x1.000002p+0f);
    CHECK(__fsqrt_ru(2.0f) == 0x1.6a09e8p+0f);
    CHECK(__frcp_rz(3.0f) == 0x1.555554p-2f);
    CHECK(__dmul_ru(1.1, 1.1) == 0x1.35c28f5c28f5ep+0);
    CHECK(__dsqrt_rd(2.0) == 0x1.6a09e667f3bccp+0);
    CHECK(__fma_rz(1.0, 1.0, -1e-300) == 0x1.fffffffffffffp-1);
    // The processor rounds to nearest again.
    CHECK(1.0f + 1e-20f == 1.0f);
}

TEST_CASE("min and max exist for every pair of types that CUDA has") {
    CHECK(min(-1, 2) == -1);
    CHECK(max(-1, 2) == 2);
    CHECK(max(-1, 2u) == UINT_MAX);
    CHECK(min(3u, -1) == 3u);
    CHECK(min(5L, -6L) == -6L);
    CHECK(max(-1L, 0ul) == ULONG_MAX);
    CHECK(min(LLONG_MIN, 0LL) == LLONG_MIN);
    CHECK(max(ULLONG_MAX, 0ull) == ULLONG_MAX);
    CHECK(min(1.5f, 2.5f) == 1.5f);
    CHECK(max(1.5f, 2.5) == 2.5);
    CHECK(std::is_same_v<decltype(min(1, 2u)), unsigned int>);
    CHECK(std::is_same_v<decltype(min(1.0f, 2.0f)), float>);
    CHECK(std::is_same_v<decltype(max(1.0f, 2.0)), double>);
    CHECK(umin(1u, 2u) == 1u);
}

TEST_CASE("min and max of a NaN and a number are the number") {
    CHECK(min(nanF, 1.0f) == 1.0f);
    CHECK(max(1.0f, nanF) == 1.0f);
    CHECK(std::isnan(max(nanF, nanF)));
}

TEST_CASE("min and max are not ambiguous where std is open") {
    CHECK(with_std::smaller(3, 2) == 2);
    CHECK(with_std::larger(3, 2) == 3);
    CHECK(with_std::smallerOfConstants() == 1);
    CHECK(with_std::larger(3.0f, 2.0f) == 3.0f);
    CHECK(with_std::qualified(3, 2) == 5);
    CHECK(with_std::root(4.0f) == 8.0f);
}

TEST_CASE("Functions that only CUDA has give the mathematical value") {
    CHECK(rsqrtf(4.0f) == 0.5f);
    CHECK(rsqrt(0.25) == 2.0);
    CHECK(rsqrtf(0.0f) == infinityF);
    CHECK(std::is_same_v<decltype(rsqrt(4.0f)), float>);
    CHECK(rcbrtf(8.0f) == 0.5f);
    CHECK(exp10f(2.0f) == 100.0f);
    CHECK(norm3df(2.0f, 3.0f, 6.0f) == 7.0f);
    CHECK(rnorm3df(2.0f, 3.0f, 6.0f) == 1.0f / 7.0f);
    CHECK(norm4df(1.0f, 1.0f, 1.0f, 1.0f) == 2.0f);
    CHECK(rhypotf(3.0f, 4.0f) == 0.2f);
    CHECK(normcdff(0.0f) == 0.5f);
    CHECK(near(normcdf(1.0), 0.8413447460685429, 1e-15));
}

TEST_CASE("Inverse and special functions give the mathematical value") {
    for (const double x : {-3.0, -0.7, 0.01, 0.3, 0.9, 2.5}) {
        CHECK(near(erfinv(std::erf(x)), x, 1e-9));
        CHECK(near(erfcinv(std::erfc(x)), x, 1e-9));
        CHECK(near(normcdfinv(normcdf(x)), x, 1e-9));
    }
    CHECK(erfinv(1.0) == HUGE_VAL);
    CHECK(erfcinv(2.0) == -HUGE_VAL);
    CHECK(std::isnan(erfinvf(1.5f)));
    CHECK(near(erfcx(1.0), 0.427583576155807, 1e-15));
    CHECK(near(erfcx(50.0), 0.0112815362653, 1e-13));
    CHECK(near(cyl_bessel_i0(1.0), 1.2660658777520084, 1e-15));
    CHECK(near(cyl_bessel_i1(2.0), 1.5906368546373291, 1e-15));
    CHECK(fdividef(6.0f, 3.0f) == 2.0f);
    const float three[] = {2.0f, 3.0f, 6.0f};
    CHECK(normf(3, three) == 7.0f);
    CHECK(rnormf(3, three) == 1.0f / 7.0f);
}

TEST_CASE("Bytes and bits of two words can be picked") {
    CHECK(__byte_perm(0x33221100u, 0x77665544u, 0x7410u) == 0x77441100u);
    CHECK(__byte_perm(0x00000080u, 0u, 0x8888u) == 0xffffffffu);
    CHECK(__funnelshift_l(0x80000000u, 1u, 1u) == 3u);
    CHECK(__funnelshift_r(0x80000000u, 1u, 31u) == 3u);
    CHECK(__hadd(-3, 2) == -1);
    CHECK(__rhadd(INT_MAX, INT_MAX) == INT_MAX);
    CHECK(__uhadd(UINT_MAX, UINT_MAX) == UINT_MAX);
    CHECK(__urhadd(1u, 2u) == 2u);
}

TEST_CASE("sinpi and cospi are exact at multiples of one half") {
    CHECK(sinpif(1.0f) == 0.0f);
    CHECK(sinpif(0.5f) == 1.0f);
    CHECK(cospif(0.5f) == 0.0f);
    CHECK(cospif(1.0f) == -1.0f);
    CHECK(cospi(1e10) == 1.0);
    CHECK(near(sinpi(0.25), std::sqrt(0.5), 1e-15));
    CHECK(near(cospi(1.75), std::sqrt(0.5), 1e-15));
    CHECK(std::isnan(sinpif(infinityF)));
    float sine = 2, cosine = 2;
    sincospif(0.5f, &sine, &cosine);
    CHECK(sine == 1.0f);
    CHECK(cosine == 0.0f);
}

TEST_CASE("__saturatef clamps to the unit interval and maps NaN to zero") {
    CHECK(__saturatef(-2.0f) == 0.0f);
    CHECK(__saturatef(0.25f) == 0.25f);
    CHECK(__saturatef(3.0f) == 1.0f);
    CHECK(__saturatef(nanF) == 0.0f);
}

TEST_CASE("Arithmetic intrinsics round to nearest") {
    CHECK(__fadd_rn(1.0f, 5.9604645e-8f) == 1.0f);
    CHECK(__fdiv_rn(1.0f, 3.0f) == 1.0f / 3.0f);
    CHECK(__frcp_rn(4.0f) == 0.25f);
    CHECK(__fsqrt_rn(9.0f) == 3.0f);
    CHECK(__frsqrt_rn(16.0f) == 0.25f);
    CHECK(__fdividef(7.0f, 2.0f) == 3.5f);
    const float e = 1.0f / 4096;
    CHECK(__fmaf_rn(1 + e, 1 - e, -1.0f) == -e * e);
}

TEST_CASE("Fast functions agree with the ordinary ones") {
    CHECK(__expf(1.0f) == expf(1.0f));
    CHECK(__exp10f(3.0f) == 1000.0f);
    CHECK(__logf(2.0f) == logf(2.0f));
    CHECK(__log2f(8.0f) == 3.0f);
    CHECK(__powf(2.0f, 10.0f) == 1024.0f);
    CHECK(__tanf(0.5f) == tanf(0.5f));
    float sine = 0, cosine = 0;
    __sincosf(0.5f, &sine, &cosine);
    CHECK(sine == __sinf(0.5f));
    CHECK(cosine == __cosf(0.5f));
}

TEST_CASE("Integer products keep the documented halves") {
    CHECK(__mul24(3, -4) == -12);
    CHECK(__mul24(0x1000001, 5) == 5);
    CHECK(__mul24(0x800000, 1) == -0x800000);
    CHECK(__umul24(0xff000002u, 3u) == 6u);
    CHECK(__mulhi(-1, 1) == -1);
    CHECK(__mulhi(INT_MIN, INT_MIN) == 0x40000000);
    CHECK(__umulhi(0xffffffffu, 0xffffffffu) == 0xfffffffeu);
    CHECK(__mul64hi(-1, 1) == -1);
    CHECK(__umul64hi(ULLONG_MAX, 2) == 1);
    CHECK(__sad(-5, 7, 1u) == 13u);
    CHECK(__sad(INT_MAX, INT_MIN, 0u) == UINT_MAX);
    CHECK(__usad(2u, 9u, 1u) == 8u);
}

TEST_CASE("Bit functions are defined at zero and at the ends") {
    CHECK(__popc(0u) == 0);
    CHECK(__popc(UINT_MAX) == 32);
    CHECK(__clz(0) == 32);
    CHECK(__clz(-1) == 0);
    CHECK(__clzll(0) == 64);
    CHECK(__clzll(-1) == 0);
    CHECK(__ffs(0) == 0);
    CHECK(__ffs(1) == 1);
    CHECK(__ffs(INT_MIN) == 32);
    CHECK(__ffsll(0) == 0);
    CHECK(__ffsll(1LL << 40) == 41);
    CHECK(__brev(1u) == 0x80000000u);
    CHECK(__brev(0x12345678u) == 0x1e6a2c48u);
    CHECK(__brevll(1ull) == 1ull << 63);
    CHECK(__brevll(1ull << 32) == 1ull << 31);
}

TEST_CASE("Conversions from float round as their suffix says") {
    CHECK(__float2int_rn(2.5f) == 2);
    CHECK(__float2int_rn(3.5f) == 4);
    CHECK(__float2int_rz(-2.7f) == -2);
    CHECK(__float2int_ru(-2.7f) == -2);
    CHECK(__float2int_rd(-2.1f) == -3);
    CHECK(__float2uint_ru(2.1f) == 3u);
    CHECK(__float2uint_rz(4294967040.0f) == 4294967040u);
    CHECK(__float2ll_rd(-0.5f) == -1);
    CHECK(__double2int_rn(-1.5) == -2);
    CHECK(__double2ull_rz(1e19) == 10000000000000000000ull);
}

TEST_CASE("Conversions to integers saturate as on the card") {
    CHECK(__float2int_rz(1e20f) == INT_MAX);
    CHECK(__float2int_rz(-infinityF) == INT_MIN);
    CHECK(__float2int_rz(2147483648.0f) == INT_MAX);
    CHECK(__float2int_rz(-2147483648.0f) == INT_MIN);
    CHECK(__float2uint_rz(-1.0f) == 0u);
    CHECK(__float2uint_rz(infinityF) == UINT_MAX);
    CHECK(__float2ll_rz(1e30f) == LLONG_MAX);
    CHECK(__double2int_rz(2147483647.5) == INT_MAX);
    CHECK(__float2int_rn(nanF) == 0);
    CHECK(__float2uint_rn(nanF) == 0u);
    CHECK(__float2ll_rn(nanF) == LLONG_MIN);
    CHECK(__double2int_rn(static_cast<double>(nanF)) == INT_MIN);
}

TEST_CASE("Conversions to float round as their suffix says") {
    // Between 2^24 and 2^25 only even numbers are floats.
    CHECK(__int2float_rn(16777217) == 16777216.0f);
    CHECK(__int2float_rn(16777219) == 16777220.0f);
    CHECK(__int2float_rz(16777219) == 16777218.0f);
    CHECK(__int2float_ru(16777217) == 16777218.0f);
    CHECK(__int2float_rd(-16777217) == -16777218.0f);
    CHECK(__uint2float_rn(UINT_MAX) == 4294967296.0f);
    CHECK(__uint2float_rz(UINT_MAX) == 4294967040.0f);
    CHECK(__double2float_rd(1e300) == std::numeric_limits<float>::max());
    CHECK(__double2float_ru(1e300) == infinityF);
    CHECK(__double2float_rz(-1e300) == -std::numeric_limits<float>::max());
}

TEST_CASE("Bits of a number can be read as another type and back") {
    CHECK(__float_as_int(1.0f) == 0x3f800000);
    CHECK(__int_as_float(0x40490fdb) == 3.14159274f);
    CHECK(__float_as_uint(-2.0f) == 0xc0000000u);
    CHECK(__uint_as_float(0x7f800000u) == infinityF);
    CHECK(__double_as_longlong(1.0) == 0x3ff0000000000000LL);
    CHECK(__longlong_as_double(0x4000000000000000LL) == 2.0);
    CHECK(__double2hiint(1.0) == 0x3ff00000);
    CHECK(__hiloint2double(-0x40100000, 0) == -1.0);
    CHECK(__hiloint2double(0x3ff00000, -1) > 1.0);
}

TEST_CASE("Loads and stores with a cache hint move the value") {
    const float numbers[] = {1.0f, 2.0f};
    CHECK(__ldg(&numbers[1]) == 2.0f);
    CHECK(__ldca(numbers) == 1.0f);
    CHECK(std::is_same_v<decltype(__ldg(numbers)), float>);
    float4 vectors[2] = {};
    __stcg(&vectors[1], make_float4(1, 2, 3, 4));
    CHECK(__ldcg(vectors + 1).w == 4.0f);
    double number = 0;
    __stcs(&number, 3);
    CHECK(__ldcs(&number) == 3.0);
}

TEST_CASE("Mathematical constants have their values") {
    CHECK(CUDART_INF_F == infinityF);
    CHECK(std::isnan(CUDART_NAN_F));
    CHECK(CUDART_PI_F == 3.14159274f);
    CHECK(CUDART_PI == std::acos(-1.0));
    CHECK(CUDART_SQRT_TWO == std::sqrt(2.0));
    CHECK(std::isinf(CUDART_INF));
    CHECK(std::isnan(CUDART_NAN));
    CHECK(CUDART_MAX_NORMAL_F == std::numeric_limits<float>::max());
}
