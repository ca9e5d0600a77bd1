// Tests the data sets: whole numbers and fractions, square and rectangular.
#include "lab3_boundary/bounded_run.h"
#include "testing/device.h"

namespace {

void expectRightOn(const std::vector<matrix::SetSpec>& specs) {
    for (const matrix::SetSpec& spec : specs) {
        INFO("data set " << spec.name);
        lab::expectProduct("boundedMatrixMul", runBounded("boundedMatrixMul", lab::build(spec)));
    }
}

}  // namespace

TEST_CASE("the product is right on every rectangular data set") {
    const device::WithoutWarps withoutWarps;
    expectRightOn(matrix::rectangularSets());
    lab::expectLastTile("boundedMatrixMul", tileWidth(), tileWidth(), multiplySquare, {},
                        lab::kOverShort);
}

TEST_CASE("the product is right on the square data sets up to Width 100") {
    const device::WithoutWarps withoutWarps;
    std::vector<matrix::SetSpec> specs = matrix::squareSets();
    specs.erase(std::remove_if(specs.begin(), specs.end(),
                               [](const matrix::SetSpec& spec) { return spec.j > 100; }),
                specs.end());
    expectRightOn(specs);
}

TEST_CASE("M and N are not changed") {
    const matrix::DataSet before = lab::integers({33, 19, 21});
    const lab::ProductRun run = lab::runWithInputs(
        "boundedMatrixMul, " + text(shapeOf(before)), before,
        [](auto... matrices) { boundedMatrixMul(matrices..., 33, 19, 21); }, lab::andLeaks());
    lab::expectUntouched(run.set, before);
}
