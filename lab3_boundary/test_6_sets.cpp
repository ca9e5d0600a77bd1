// The data sets: whole numbers and fractions, square and not.
#include "lab3_boundary/bounded_run.h"

namespace {

void expectRightOn(const std::vector<matrix::SetSpec>& specs) {
    for (const matrix::SetSpec& spec : specs) {
        INFO("data set " << spec.name);
        const BoundedRun run = runBounded("boundedMatrixMul", matrix::build(spec));
        lab::expectProduct("boundedMatrixMul", run.P, run.set);
    }
}

}  // namespace

TEST_CASE("the product is right on every rectangular data set") {
    expectRightOn(matrix::rectangularSets());
}

TEST_CASE("the product is right on the square data sets up to Width 100") {
    std::vector<matrix::SetSpec> specs = matrix::squareSets();
    specs.erase(std::remove_if(specs.begin(), specs.end(),
                               [](const matrix::SetSpec& spec) { return spec.j > 100; }),
                specs.end());
    expectRightOn(specs);
}

TEST_CASE("M and N are left as they were") {
    const matrix::DataSet before = wholeNumbers({33, 19, 21});
    const BoundedRun run = runBounded("boundedMatrixMul", before);
    lab::expectUntouched("M", run.set.M, before.M);
    lab::expectUntouched("N", run.set.N, before.N);
}
