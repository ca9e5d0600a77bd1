#include "matrix/pattern.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "matrix/input_error.h"

namespace matrix {

namespace {

constexpr int kRampPeriod = 17;

// The C++ standard fixes every output of mt19937_64 but not of its distributions, so the mappings
// below are our own: they give the same bytes everywhere.
using Random = std::mt19937_64;

// Returns a whole number in [0, count) from the top 32 bits. Its bias, at most count / 2^32, does
// not matter here.
int below(Random& random, int count) {
    return static_cast<int>((random() >> 32) * static_cast<std::uint64_t>(count) >> 32);
}

float smallInteger(Random& random) { return static_cast<float>(below(random, 17) - 8); }

// Draws 24 bits, as many as a float's significand holds, so that each value is exact.
float uniform(Random& random) {
    const auto bits = static_cast<std::int64_t>(random() >> 40);
    return static_cast<float>(bits - (std::int64_t{1} << 23)) * 0x1p-23F;
}

float mostlyZero(Random& random) { return below(random, 8) == 0 ? smallInteger(random) : 0.0F; }

float wide(Random& random) {
    const std::uint64_t bits = random();
    const float significand = 1.0F + static_cast<float>(bits >> 41) * 0x1p-23F;
    const int exponent = below(random, 24) - 12;
    const float magnitude = std::ldexp(significand, exponent);
    return (bits & 1) != 0 ? -magnitude : magnitude;
}

// Fills a matrix with steps of 5 down a column and 1 along a row. The steps differ, also modulo the
// period, so that the matrix is not symmetric.
Matrix ramp(int rows, int cols, std::uint64_t seed) {
    Matrix m(rows, cols);
    const auto start = static_cast<std::int64_t>(seed % kRampPeriod);
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < cols; ++c)
            m(r, c) = static_cast<float>((std::int64_t{5} * r + c + start) % kRampPeriod);
    return m;
}

Matrix identity(int rows, int cols) {
    Matrix m(rows, cols);
    for (int i = 0; i < rows && i < cols; ++i) m(i, i) = 1.0F;
    return m;
}

struct Kind {
    Pattern pattern;
    const char* name;
    float (*draw)(Random&);  // null if only the place decides the value
};

constexpr Kind kKinds[] = {
    {Pattern::SmallIntegers, "integers", smallInteger}, {Pattern::Uniform, "uniform", uniform},
    {Pattern::Identity, "identity", nullptr},           {Pattern::Ramp, "ramp", nullptr},
    {Pattern::MostlyZero, "sparse", mostlyZero},        {Pattern::WideMagnitudes, "wide", wide}};

}  // namespace

Pattern parsePattern(std::string_view text) {
    std::string all;
    for (const Kind& entry : kKinds) {
        if (text == entry.name) return entry.pattern;
        all += words::joined(all.empty() ? "" : ", ", entry.name);
    }
    throw InputError("'", text, "' is not a pattern; choose one of ", all);
}

const char* name(Pattern pattern) {
    for (const Kind& entry : kKinds)
        if (entry.pattern == pattern) return entry.name;
    return "unknown";
}

bool isExact(Pattern pattern, int k) {
    // At most one of the k products is not zero.
    if (pattern == Pattern::Identity) return true;
    if (pattern == Pattern::Uniform || pattern == Pattern::WideMagnitudes) return false;
    const std::int64_t largest = pattern == Pattern::Ramp ? kRampPeriod - 1 : 8;
    return k * largest * largest < std::int64_t{1} << 24;
}

Matrix generate(Pattern pattern, int rows, int cols, std::uint64_t seed) {
    if (pattern == Pattern::Identity) return identity(rows, cols);
    if (pattern == Pattern::Ramp) return ramp(rows, cols, seed);
    Matrix m(rows, cols);
    Random random(seed);
    for (const Kind& kind : kKinds)
        if (kind.pattern == pattern)
            std::generate_n(m.data(), m.size(), [&] { return kind.draw(random); });
    return m;
}

}  // namespace matrix
