// The formats of half and bfloat16: what bits stand for which number.
#pragma once

#include <cmath>

#include "cusim/uncounted.h"

namespace cusim {

struct HalfFormat {
    static constexpr int fraction = 10, most = 15;  // bits of the fraction, largest exponent
};
struct BfloatFormat {
    static constexpr int fraction = 7, most = 127;
};

// Rounds a double, which holds all products and sums of two such numbers well enough. `toward`: 0
// to nearest, 1 up, -1 down, 2 toward zero.
template <class Format>
CUSIM_UNCHECKED unsigned short smallBits(double x, int toward = 0) {
    constexpr int kFraction = Format::fraction, kMost = Format::most;
    if (x != x) return 0x7fff;
    const unsigned sign = std::signbit(x) ? 0x8000u : 0u;
    const double size = std::fabs(x);
    const unsigned infinite = static_cast<unsigned>(2 * kMost + 1) << kFraction;
    if (size == 0) return static_cast<unsigned short>(sign);
    if (std::isinf(x)) return static_cast<unsigned short>(sign | infinite);
    int exponent = 0;
    std::frexp(size, &exponent);  // size < 2^exponent
    if (exponent < 2 - kMost) exponent = 2 - kMost;
    const double units = std::ldexp(size, kFraction + 1 - exponent);
    const bool away = toward == (sign ? -1 : 1);
    const double rounded = toward == 0 ? std::nearbyint(units)
                           : away      ? std::ceil(units)
                                       : std::floor(units);
    // A carry out of the fraction goes into the exponent, as it should.
    const unsigned bits =
        (static_cast<unsigned>(exponent + kMost - 2) << kFraction) + static_cast<unsigned>(rounded);
    if (bits >= infinite)
        return static_cast<unsigned short>(sign | (toward == 0 || away ? infinite : infinite - 1));
    return static_cast<unsigned short>(sign | bits);
}

template <class Format>
CUSIM_UNCHECKED float smallValue(unsigned short bits) {
    constexpr int kFraction = Format::fraction, kMost = Format::most;
    const int exponent = (bits & 0x7fff) >> kFraction, fraction = bits & ((1 << kFraction) - 1);
    double size = 0;
    if (exponent == 2 * kMost + 1)
        size = fraction == 0 ? HUGE_VAL : NAN;
    else if (exponent == 0)
        size = std::ldexp(fraction, 1 - kMost - kFraction);
    else
        size = std::ldexp(fraction + (1 << kFraction), exponent - kMost - kFraction);
    return static_cast<float>(bits & 0x8000 ? -size : size);
}

}  // namespace cusim
