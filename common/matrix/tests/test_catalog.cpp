#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "matrix/catalog.h"
#include "matrix/compare.h"
#include "matrix/reference.h"
#include "matrix/tests/helpers.h"
#include "testing/catch.h"

using namespace matrix_test;
using matrix::DataSet;
using matrix::Matrix;
using matrix::Pattern;
using matrix::SetSpec;

namespace {

std::vector<SetSpec> allSets() {
    std::vector<SetSpec> sets = matrix::squareSets();
    const std::vector<SetSpec>& more = matrix::rectangularSets();
    sets.insert(sets.end(), more.begin(), more.end());
    return sets;
}

bool hasExactAndReal(const std::vector<SetSpec>& sets) {
    const auto exact = [](const SetSpec& set) { return matrix::isExact(set.pattern, set.k); };
    return std::any_of(sets.begin(), sets.end(), exact) &&
           !std::all_of(sets.begin(), sets.end(), exact);
}

}  // namespace

TEST_CASE("there are at least ten square sets, exact and real-valued", "[catalog]") {
    CHECK(matrix::squareSets().size() >= 10U);
    CHECK(hasExactAndReal(matrix::squareSets()));
    for (const SetSpec& spec : matrix::squareSets()) CHECK((spec.j == spec.k && spec.k == spec.l));
}

TEST_CASE("the square sets have the widths at which tiles go wrong", "[catalog]") {
    std::set<int> widths;
    for (const SetSpec& spec : matrix::squareSets()) widths.insert(spec.j);
    for (const int width : {1, 2, 4, 16, 17, 31, 64, 100, 128, 256})
        CHECK(widths.count(width) == 1U);
}

TEST_CASE("there are at least ten rectangular sets, exact and real-valued", "[catalog]") {
    CHECK(matrix::rectangularSets().size() >= 10U);
    CHECK(hasExactAndReal(matrix::rectangularSets()));
    const std::vector<SetSpec>& sets = matrix::rectangularSets();
    const auto some = [&](auto is) { return std::any_of(sets.begin(), sets.end(), is); };
    CHECK(!some([](const SetSpec& set) { return set.j == set.k && set.k == set.l; }));
    CHECK(some([](const SetSpec& set) { return set.j == 1 && set.l > 1; }));
    CHECK(some([](const SetSpec& set) { return set.l == 1 && set.j > 1; }));
    CHECK(some([](const SetSpec& set) { return set.k == 1; }));
    CHECK(some([](const SetSpec& set) { return set.j == 1 && set.l == 1; }));
    CHECK(some([](const SetSpec& set) { return set.k >= 100 * set.j; }));
}

TEST_CASE("every set has a name and a seed of its own", "[catalog]") {
    std::set<std::string> names;
    std::set<std::uint64_t> seeds;
    for (const SetSpec& spec : allSets()) {
        names.insert(spec.name);
        seeds.insert(spec.seed);
    }
    CHECK(names.size() == allSets().size());
    CHECK(seeds.size() == allSets().size());
}

TEST_CASE("a set's name says shape and pattern", "[catalog]") {
    CHECK(matrix::setName(17, 17, 17, Pattern::Uniform) == "square-017-uniform");
    CHECK(matrix::setName(67, 41, 29, Pattern::SmallIntegers) == "rect-067x041x029-integers");
    CHECK(matrix::setName(5, 1000, 7, Pattern::Ramp) == "rect-005x1000x007-ramp");
}

TEST_CASE("a set is built in its shape, the same each time", "[catalog]") {
    for (const SetSpec& spec : allSets()) {
        const DataSet set = matrix::build(spec);
        CHECK((set.M.rows() == spec.j && set.M.cols() == spec.k));
        CHECK((set.N.rows() == spec.k && set.N.cols() == spec.l));
        CHECK(matrix::build(spec).M == set.M);
        CHECK(matrix::build(spec).N == set.N);
        CHECK(set.M != set.N);
    }
}

TEST_CASE("zeros, a transpose and swapped operands pass no set", "[catalog]") {
    for (const SetSpec& spec : allSets()) {
        INFO(spec.name);
        const DataSet set = matrix::build(spec);
        const matrix::Reference reference = matrix::multiply(set.M, set.N);
        const bool exact = matrix::isExact(spec.pattern, spec.k);
        const auto passes = [&](const Matrix& got) {
            return matrix::compare(got, set.M, set.N, reference, exact).passed;
        };
        const Matrix right = rounded(reference);
        CHECK(passes(right));
        CHECK(!passes(Matrix(spec.j, spec.l)));
        CHECK(!passes(matrix::poisoned(spec.j, spec.l)));
        if (spec.j != spec.k || spec.k != spec.l || spec.j == 1) continue;
        CHECK(!passes(transposeOf(right)));
        if (spec.pattern == Pattern::Identity) {
            CHECK(right == set.N);
            continue;
        }
        CHECK(!passes(rounded(matrix::multiply(set.N, set.M))));
    }
}

TEST_CASE("the ramps of a set start at different values whatever the seed", "[catalog]") {
    for (std::uint64_t seed = 0; seed < 40; ++seed)
        for (const std::uint64_t s : {seed, ~seed}) {
            const DataSet set = matrix::build({"", 3, 3, 3, Pattern::Ramp, s});
            CHECK(set.M != set.N);
        }
}
