// Tests the product, on both devices.
#include "lab4_memtypes/tile_run.h"
#include "testing/device.h"
#ifdef CUDA_SIMULATED_DEVICE
#include "lab4_memtypes/tile_launch_sim.h"
#endif

TEST_CASE("TODO(3): an element of P is the sum of tileWidth products from each phase") {
#ifdef CUDA_SIMULATED_DEVICE
    const WithSharedMemory shared(32);
#endif
    lab::expectProduct(Todo(3),
                       runWithTile(Todo(3), lab::integers(lab::square(64)), 32, {"unset-output"}));
}

TEST_CASE("the product is right for every tile width, also where it does not divide Width") {
    const device::WithoutWarps withoutWarps;
    for (const int tileWidth : {16, 32, 48}) {
        if (!fits(tileWidth, deviceAtHand())) continue;
        for (const int Width : {1, tileWidth - 1, tileWidth, tileWidth + 1, 2 * tileWidth + 8}) {
            INFO("Width " << Width << ", tileWidth " << tileWidth);
            const matrix::DataSet set = Width % 2 == 0 ? lab::fractions(lab::square(Width))
                                                       : lab::integers(lab::square(Width));
            lab::expectProduct("matrixMulWithTile",
                               runWithTile("matrixMulWithTile", set, tileWidth));
        }
    }
    lab::expectLastTile("matrixMulWithTile", kRows, kRows,
                        [](auto... arguments) { matrixMulWithTile(arguments..., kRows); });
}

TEST_CASE("the product is right on the square data sets with the device's own tile width") {
    const device::WithoutWarps withoutWarps;
    for (const matrix::SetSpec& spec : matrix::squareSets()) {
        // The simulated device would need too long for larger ones.
        if (spec.j > 100) continue;
        INFO("data set " << spec.name);
        lab::expectProduct("dynamicMatrixMul", runDynamic("dynamicMatrixMul", lab::build(spec)));
    }
}

TEST_CASE("M and N are left as they were") {
    const device::WithoutWarps withoutWarps;
    const matrix::DataSet before = lab::integers(lab::square(40));
    const lab::ProductRun run = lab::runWithInputs(
        "dynamicMatrixMul", before, [](auto... matrices) { dynamicMatrixMul(matrices..., 40); },
        lab::andLeaks());
    lab::expectUntouched(run.set, before);
}
