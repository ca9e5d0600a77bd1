#include "matrix/catalog.h"

#include <cstdio>

namespace matrix {

namespace {

SetSpec make(int j, int k, int l, Pattern pattern, std::uint64_t seed) {
    return {setName(j, k, l, pattern), j, k, l, pattern, seed};
}

SetSpec square(int width, Pattern pattern, std::uint64_t seed) {
    return make(width, width, width, pattern, seed);
}

}  // namespace

std::string setName(int j, int k, int l, Pattern pattern) {
    char text[64];
    if (j == k && k == l)
        std::snprintf(text, sizeof text, "square-%03d-%s", j, name(pattern));
    else
        std::snprintf(text, sizeof text, "rect-%03dx%03dx%03d-%s", j, k, l, name(pattern));
    return text;
}

const std::vector<SetSpec>& squareSets() {
    static const std::vector<SetSpec> sets = {
        square(1, Pattern::Uniform, 101),         // a single element
        square(2, Pattern::Ramp, 102),            // small enough to work by hand
        square(4, Pattern::SmallIntegers, 103),   // the textbook's example
        square(16, Pattern::SmallIntegers, 104),  // one whole tile
        square(16, Pattern::Identity, 105),       // the product shows N itself
        square(17, Pattern::Uniform, 106),        // one more than a tile
        square(31, Pattern::SmallIntegers, 107),  // one less than two tiles
        square(64, Pattern::SmallIntegers, 108),  // whole tiles of every usual width
        square(64, Pattern::WideMagnitudes, 109),
        square(100, Pattern::Uniform, 110),  // no multiple of 8, 16 or 32
        square(128, Pattern::Uniform, 111),
        square(128, Pattern::MostlyZero, 112),
        square(256, Pattern::SmallIntegers, 113),
    };
    return sets;
}

const std::vector<SetSpec>& rectangularSets() {
    static const std::vector<SetSpec> sets = {
        make(1, 64, 48, Pattern::SmallIntegers, 201),    // row vector times matrix
        make(48, 64, 1, Pattern::Uniform, 202),          // matrix times column vector
        make(33, 1, 47, Pattern::SmallIntegers, 203),    // outer product: k = 1
        make(1, 257, 1, Pattern::Uniform, 204),          // inner product: one element
        make(200, 16, 24, Pattern::SmallIntegers, 205),  // tall
        make(24, 16, 200, Pattern::Uniform, 206),        // wide
        make(67, 41, 29, Pattern::SmallIntegers, 207),   // three primes
        make(13, 53, 97, Pattern::WideMagnitudes, 208),  // three primes, growing
        make(1, 19, 130, Pattern::Ramp, 209),            // one row, k no multiple of a tile
        make(130, 19, 1, Pattern::Ramp, 210),            // one column
        make(5, 1000, 7, Pattern::Uniform, 211),         // k much larger than the others
        make(17, 15, 16, Pattern::SmallIntegers, 212),   // each about a tile
        make(32, 64, 96, Pattern::Uniform, 213),         // whole tiles, yet not square
        make(50, 70, 90, Pattern::MostlyZero, 214),
    };
    return sets;
}

DataSet build(const SetSpec& spec) {
    // Any odd constant would do; this one is 2^64 divided by the golden ratio.
    const std::uint64_t seedOfN = spec.seed + 0x9E3779B97F4A7C15U;
    const Pattern patternOfN =
        spec.pattern == Pattern::Identity ? Pattern::SmallIntegers : spec.pattern;
    return {spec, generate(spec.pattern, spec.j, spec.k, spec.seed),
            generate(patternOfN, spec.k, spec.l, seedOfN)};
}

}  // namespace matrix
