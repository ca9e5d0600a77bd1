#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "matrix/pattern.h"
#include "matrix/tests/helpers.h"
#include "testing/catch.h"

using namespace matrix_test;
using matrix::generate;
using matrix::Matrix;
using matrix::Pattern;

namespace {

constexpr Pattern kAll[] = {Pattern::SmallIntegers, Pattern::Uniform,    Pattern::Identity,
                            Pattern::Ramp,          Pattern::MostlyZero, Pattern::WideMagnitudes};

// Hashes the values' bits, low byte first, so that every machine gets the same hash.
std::uint64_t hashOf(const Matrix& m) {
    std::string bytes;
    for (std::size_t i = 0; i < m.size(); ++i) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, m.data() + i, sizeof bits);
        for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(bits >> shift);
    }
    return fnv1a(bytes.data(), bytes.size());
}

}  // namespace

TEST_CASE("the hash is FNV-1a", "[pattern]") {
    CHECK(fnv1a("", 0) == 0xCBF29CE484222325U);
    CHECK(fnv1a("a", 1) == 0xAF63DC4C8601EC8CU);
}

TEST_CASE("the same seed gives the same bytes on every platform", "[pattern]") {
    CHECK(hashOf(generate(Pattern::SmallIntegers, 37, 53, 42)) == 0x473F3F4BDC29E175U);
    CHECK(hashOf(generate(Pattern::Uniform, 37, 53, 42)) == 0x53BB47F2B928D2CCU);
    CHECK(hashOf(generate(Pattern::Identity, 37, 53, 42)) == 0x2538BEBFD51F8858U);
    CHECK(hashOf(generate(Pattern::Ramp, 37, 53, 42)) == 0xA539F5042EAD3532U);
    CHECK(hashOf(generate(Pattern::MostlyZero, 37, 53, 42)) == 0x7F18DD30A4B544D2U);
    CHECK(hashOf(generate(Pattern::WideMagnitudes, 37, 53, 42)) == 0x25346B1944C740BBU);
}

TEST_CASE("another seed gives other values", "[pattern]") {
    for (const Pattern pattern : kAll) {
        const bool same = generate(pattern, 8, 9, 1) == generate(pattern, 8, 9, 2);
        CHECK(same == (pattern == Pattern::Identity));
    }
}

TEST_CASE("every pattern is found by its name", "[pattern]") {
    for (const Pattern pattern : kAll)
        CHECK(matrix::parsePattern(matrix::name(pattern)) == pattern);
    CHECK(matrix::parsePattern("sparse") == Pattern::MostlyZero);
    CHECK(matrix::parsePattern("wide") == Pattern::WideMagnitudes);
}

TEST_CASE("an unknown pattern is refused, and the names are listed", "[pattern]") {
    CHECK(inputErrorOf([] { matrix::parsePattern("Ramp"); }) ==
          "'Ramp' is not a pattern; choose one of integers, uniform, identity, ramp, sparse, wide");
}

TEST_CASE("each pattern keeps within its range and reaches its ends", "[pattern]") {
    struct Row {
        Pattern pattern;
        float lowest, highest;
        bool whole;
    };
    const Row rows[] = {
        {Pattern::SmallIntegers, -8, 8, true}, {Pattern::MostlyZero, -8, 8, true},
        {Pattern::Ramp, 0, 16, true},          {Pattern::Identity, 0, 1, true},
        {Pattern::Uniform, -1, 1, false},      {Pattern::WideMagnitudes, -4096, 4096, false}};
    for (const Row& row : rows) {
        INFO(matrix::name(row.pattern));
        const Matrix m = generate(row.pattern, 200, 200, 7);
        const float* const end = m.data() + m.size();
        const auto [least, most] = std::minmax_element(m.data(), end);
        const float lowest = *least, highest = *most;
        CHECK(std::all_of(m.data(), end, [](float v) { return v == std::floor(v); }) == row.whole);
        CHECK(lowest >= row.lowest);
        CHECK(highest <= row.highest);
        CHECK(lowest <= row.lowest + 0.01F * (row.highest - row.lowest));
        CHECK(highest >= row.highest - 0.01F * (row.highest - row.lowest));
        if (!row.whole) CHECK(highest < row.highest);
    }
}

TEST_CASE("wide magnitudes span 2^-12 to 2^12 with either sign", "[pattern]") {
    const Matrix m = generate(Pattern::WideMagnitudes, 100, 100, 3);
    int negative = 0;
    float smallest = 1.0F;
    for (std::size_t i = 0; i < m.size(); ++i) {
        smallest = std::fmin(smallest, std::fabs(m.data()[i]));
        negative += m.data()[i] < 0 ? 1 : 0;
    }
    CHECK(smallest >= 0x1p-12F);
    CHECK(smallest < 0x1p-11F);
    CHECK(negative > 4500);
    CHECK(negative < 5500);
}

TEST_CASE("about an eighth of a sparse matrix is not zero", "[pattern]") {
    const Matrix m = generate(Pattern::MostlyZero, 100, 100, 3);
    const auto nonzero =
        static_cast<long>(m.size()) - std::count(m.data(), m.data() + m.size(), 0.0F);
    CHECK(nonzero > 1000);
    CHECK(nonzero < 1350);
}

TEST_CASE("no square matrix but the identity is symmetric", "[pattern]") {
    for (const Pattern pattern : kAll)
        for (const int width : {2, 16, 17, 18, 34}) {
            const Matrix m = generate(pattern, width, width, 5);
            INFO(matrix::name(pattern) << " " << width);
            const bool symmetric = m == transposeOf(m);
            CHECK(symmetric == (pattern == Pattern::Identity));
        }
}

TEST_CASE("sums count as exact only while they stay below 2^24", "[pattern]") {
    CHECK(matrix::isExact(Pattern::SmallIntegers, 262143));  // 64 per term
    CHECK(!matrix::isExact(Pattern::SmallIntegers, 262144));
    CHECK(matrix::isExact(Pattern::MostlyZero, 262143));
    CHECK(!matrix::isExact(Pattern::MostlyZero, 262144));
    CHECK(matrix::isExact(Pattern::Ramp, 65535));  // 256 per term
    CHECK(!matrix::isExact(Pattern::Ramp, 65536));
    CHECK(matrix::isExact(Pattern::Identity, 2147483647));
    CHECK(!matrix::isExact(Pattern::Uniform, 1));
    CHECK(!matrix::isExact(Pattern::WideMagnitudes, 1));
}
