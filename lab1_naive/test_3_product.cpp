// Tests the host side and the kernel together.
#include "lab1_naive/lab1.h"
#include "matrix/compare.h"
#include "testing/device.h"
#include "testing/lab.h"

using matrix::Matrix;

TEST_CASE("the product is right on every square data set") {
    const device::WithoutWarps withoutWarps;
    for (const matrix::SetSpec& spec : matrix::squareSets()) {
        INFO("data set " << spec.name);
        const lab::ProductRun run =
            lab::runProduct({}, "matrixMul", lab::build(spec),
                            [&](auto... matrices) { matrixMul(matrices..., spec.j); });
        lab::expectProduct("matrixMul", run.P, run.set);
    }
}

TEST_CASE("M and N are left as they were") {
    matrix::DataSet set = lab::integers(33, 33, 33);
    const matrix::DataSet before = set;
    Matrix P = matrix::poisoned(33, 33);
    lab::run("matrixMul", lab::gives(P, set.M, set.N),
             [&] { matrixMul(set.M.data(), set.N.data(), P.data(), 33); });
    if (P == matrix::poisoned(33, 33) || device::notStoredByKernels(P) > 0)
        lab::fail("never-written",
                  "matrixMul: not all of P has come from a kernel yet, so nothing can be judged.");
    lab::expectUntouched("M", set.M, before.M);
    lab::expectUntouched("N", set.N, before.N);
}
