// Tests the host side and the kernel together.
#include "lab1_naive/host_findings.h"
#include "lab1_naive/lab1.h"
#include "matrix/compare.h"
#include "testing/device.h"
#include "testing/lab.h"

TEST_CASE("the product is right on every square data set") {
    const device::WithoutWarps withoutWarps;
    for (const matrix::SetSpec& spec : matrix::squareSets()) {
        INFO("data set " << spec.name);
        lab::expectProduct("matrixMul", lab::runProduct(kHostFindings, "matrixMul",
                                                        lab::build(spec), [&](auto... matrices) {
                                                            matrixMul(matrices..., spec.j);
                                                        }));
    }
    lab::expectLastTile("matrixMul", 16, 1, matrixMul, kHostFindings);
}

TEST_CASE("M and N are not changed") {
    const matrix::DataSet before = lab::integers(lab::square(33));
    const auto [set, P] = lab::runWithInputs(
        "matrixMul", before, [](auto... matrices) { matrixMul(matrices..., 33); }, kHostFindings);
    if (P == matrix::poisoned(33, 33) || device::notStoredByKernels(P) > 0)
        lab::fail("never-written",
                  "matrixMul: not all of P comes from a kernel yet, so the test cannot judge it.");
    lab::expectUntouched(set, before);
}
