// Tests the data sets: whole numbers and fractions, square and rectangular.
#include "lab3_boundary/bounded_run.h"
#include "testing/device.h"

namespace {

void expectRightOn(const std::vector<matrix::SetSpec>& specs) {
    for (const matrix::SetSpec& spec : specs) {
        INFO("data set " << spec.name);
        const lab::ProductRun run = runBounded("boundedMatrixMul", lab::build(spec));
        lab::expectProduct("boundedMatrixMul", run.P, run.set);
    }
}

}  // namespace

TEST_CASE("the product is right on every rectangular data set") {
    const device::WithoutWarps withoutWarps;
    expectRightOn(matrix::rectangularSets());
}

TEST_CASE("the product is right on the square data sets up to Width 100") {
    const device::WithoutWarps withoutWarps;
    std::vector<matrix::SetSpec> specs = matrix::squareSets();
    specs.erase(std::remove_if(specs.begin(), specs.end(),
                               [](const matrix::SetSpec& spec) { return spec.j > 100; }),
                specs.end());
    expectRightOn(specs);
}

TEST_CASE("M and N are left as they were") {
    matrix::DataSet set = wholeNumbers({33, 19, 21});
    const matrix::DataSet before = set;
    matrix::Matrix P = matrix::poisoned(33, 21);
    lab::run("boundedMatrixMul, " + text(shapeOf(set)), lab::gives(P, set.M, set.N),
             [&] { boundedMatrixMul(set.M.data(), set.N.data(), P.data(), 33, 19, 21); });
    lab::expectUntouched("M", set.M, before.M);
    lab::expectUntouched("N", set.N, before.N);
}
