// Tests the product, on both devices.
#include "lab4_memtypes/tile_run.h"
#include "testing/device.h"

TEST_CASE("TODO(3): an element of P is the sum of tileWidth products from each phase") {
    const lab::ProductRun run = runWithTile("TODO(3)", wholeNumbers(64), 32, {"unset-output"});
    lab::expectProduct("TODO(3)", run.P, run.set);
}

TEST_CASE("the product is right for every tile width, also where it does not divide Width") {
    const device::WithoutWarps withoutWarps;
    for (const int tileWidth : {16, 32, 48}) {
        if (!fits(tileWidth, deviceAtHand())) continue;
        for (const int Width : {1, tileWidth - 1, tileWidth, tileWidth + 1, 2 * tileWidth + 8}) {
            INFO("Width " << Width << ", tileWidth " << tileWidth);
            const matrix::DataSet set = Width % 2 == 0 ? fractions(Width) : wholeNumbers(Width);
            const lab::ProductRun run = runWithTile("matrixMulWithTile", set, tileWidth);
            lab::expectProduct("matrixMulWithTile", run.P, run.set);
        }
    }
}

TEST_CASE("the product is right on the square data sets with the device's own tile width") {
    const device::WithoutWarps withoutWarps;
    for (const matrix::SetSpec& spec : matrix::squareSets()) {
        // The simulated device would need too long for larger ones.
        if (spec.j > 100) continue;
        INFO("data set " << spec.name);
        const lab::ProductRun run = runDynamic("dynamicMatrixMul", lab::build(spec));
        lab::expectProduct("dynamicMatrixMul", run.P, run.set);
    }
}

TEST_CASE("M and N are left as they were") {
    const device::WithoutWarps withoutWarps;
    matrix::DataSet set = wholeNumbers(40);
    const matrix::DataSet before = set;
    matrix::Matrix P = matrix::poisoned(40, 40);
    lab::run("dynamicMatrixMul", lab::gives(P, set.M, set.N),
             [&] { dynamicMatrixMul(set.M.data(), set.N.data(), P.data(), 40); });
    lab::expectUntouched("M", set.M, before.M);
    lab::expectUntouched("N", set.N, before.N);
}
