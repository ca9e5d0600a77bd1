// Tests the product, on both devices.
#include "lab4_memtypes/tile_run.h"
#include "testing/device.h"
#ifdef CUDA_SIMULATED_DEVICE
#include "lab4_memtypes/tile_words_sim.h"
#endif

namespace {

// Returns which float of the tiles the kernel stores and never reads.
std::string neverRead() {
#ifdef CUDA_SIMULATED_DEVICE
    if (!cusim::launches().empty())
        if (const auto at = TileWords(cusim::launches().front(), 32).neverRead())
            return lab::filled(
                       "MdsNds[{}] is stored, but no sum reads it: see the indices of the tiles "
                       "in\nthe products, and the bounds of the loop over k.",
                       *at)
                .words;
#endif
    return "";
}

// Fails the test unless dynamicMatrixMul is right. If only matrixMulWithTile is right, says so.
void expectDynamic(const matrix::DataSet& set) {
    const int Width = set.spec.j;
    const auto tell = [&] {
#ifdef CUDA_SIMULATED_DEVICE
        if (!lab::findingsOf("invalid-launch").empty()) return std::string();
#endif
        matrix::Matrix P = matrix::poisoned(Width, Width);
        device::reset();
        const auto outcome = device::runQuietly(lab::gives(P).from(set.M, set.N), [&] {
            matrixMulWithTile(set.M.data(), set.N.data(), P.data(), Width, kRows);
        });
        if (outcome.how != device::Outcome::Returned || !lab::isRight({set, P}))
            return std::string();
        lab::blameNoStep();
        return lab::filled(
                   "matrixMulWithTile alone is right, with a tileWidth of {}: see the arguments "
                   "that\ndynamicMatrixMul passes to it.",
                   kRows)
            .words;
    };
    try {
        const lab::ProductRun run = runDynamic("dynamicMatrixMul", set);
        INFO((lab::isRight(run) ? "" : tell()));
        expectRight("dynamicMatrixMul", run);
    } catch (...) {
        lab::addToEnd(tell());
        throw;
    }
}

}  // namespace

TEST_CASE("TODO(4): an element of P is the sum of tileWidth products from each phase") {
#ifdef CUDA_SIMULATED_DEVICE
    const WithSharedMemory shared(32);
    const lab::CountSharedElements counting;
#endif
    expectRight(Todo(4), runWithTile(Todo(4), lab::integers(lab::square(64)), 32, {"unset-output"}),
                neverRead);
}

TEST_CASE("the product is right for every tile width, even if it does not divide Width") {
    const device::WithoutWarps withoutWarps;
    for (const int tileWidth : {16, 32, 48}) {
        if (!fits(tileWidth, deviceAtHand())) continue;
        for (const int Width : {1, tileWidth - 1, tileWidth, tileWidth + 1, 2 * tileWidth + 8}) {
            INFO("Width " << Width << ", tileWidth " << tileWidth);
            const matrix::DataSet set = Width % 2 == 0 ? lab::fractions(lab::square(Width))
                                                       : lab::integers(lab::square(Width));
            expectRight("matrixMulWithTile", runWithTile("matrixMulWithTile", set, tileWidth));
        }
    }
    lab::expectLastTile("matrixMulWithTile", kRows, kRows,
                        [](auto... arguments) { matrixMulWithTile(arguments..., kRows); });
}

TEST_CASE("the product is right on the square data sets with the device's tile width") {
    const device::WithoutWarps withoutWarps;
    for (const matrix::SetSpec& spec : matrix::squareSets()) {
        // The simulated device would need too long for larger ones.
        if (spec.j > 100) continue;
        INFO("data set " << spec.name);
        expectDynamic(lab::build(spec));
    }
}

TEST_CASE("M and N are not changed") {
    const device::WithoutWarps withoutWarps;
    const matrix::DataSet before = lab::integers(lab::square(40));
    const lab::ProductRun run = lab::runWithInputs(
        "dynamicMatrixMul", before, [](auto... matrices) { dynamicMatrixMul(matrices..., 40); },
        lab::andLeaks());
    lab::expectUntouched(run.set, before);
}
