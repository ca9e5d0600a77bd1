// Tests that shifts give what a device gives, also by more bits than a number has. If no
// assembly is gone through, as on arm64, they give what the processor gives.
#if defined(__x86_64__) && !defined(__clang__)

#include "chosen_options.h"
#include "on_device.h"

namespace {

__global__ void shifts(unsigned long long* y, unsigned a, int b, unsigned char n) {
    const unsigned long long c = a;
    const long long d = b;
    y[0] = a << n;
    y[1] = a >> n;
    y[2] = static_cast<unsigned>(b >> n);
    y[3] = c << n;
    y[4] = c >> n;
    y[5] = static_cast<unsigned long long>(d >> n);
    a <<= n;
    y[6] = a;
    y[7] = 5;
    y[7] >>= n;
    y[8] = 0xffffffffU >> (n - 32);  // by no bits, or by some four thousand million
}

std::vector<unsigned long long> shifted(unsigned char n) {
    return resultOf(shifts, 9, 1, 1, 0x80000003U, -5, n);
}

}  // namespace

DEVICE_TEST("a shift by as many bits as a number has, or more, leaves its sign alone") {
    const std::vector<unsigned long long> none(9);
    const unsigned long long c = 0x80000003, sign = -1, sign32 = 0xffffffff;
    CHECK(shifted(31) == std::vector<unsigned long long>{c << 31 & sign32, 1, sign32, c << 31,
                                                         c >> 31, sign, c << 31 & sign32, 0, 0});
    CHECK(shifted(32) ==
          std::vector<unsigned long long>{0, 0, sign32, c << 32, 0, sign, 0, 0, sign32});
    CHECK(shifted(64) == std::vector<unsigned long long>{0, 0, sign32, 0, 0, sign, 0, 0, 0});
}

#endif
