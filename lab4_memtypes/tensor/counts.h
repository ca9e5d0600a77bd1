// Reads what the simulated device has counted in the launch of a product.
#pragma once

#include "lab4_memtypes/tensor/product_run.h"
#include "testing/lab_sim.h"

namespace tensor {

constexpr std::uint64_t kBytesOfHalf = 2;

// Runs a product of so many phases for its counts; other tests judge its values and barriers. Each
// launch but the last one rounds a matrix.
inline const cusim::LaunchReport& launched(const lab::Text& about, Multiply* multiply, int phases,
                                           const std::string& leftToOtherTests = "race") {
    run(about, multiply, lab::integers(lab::square(phases * kTile)), leftToOtherTests);
    lab::givenLaunchOf(about, "tensor.cu");
    const cusim::LaunchReport& launch = cusim::launches().back();
    lab::expectOneLaunch(about, "all of P", launch.kernel);
    return launch;
}

// Fails the test unless each warp multiplies two tiles per phase.
inline void expectProducts(const lab::Text& about, const cusim::LaunchReport& launch, int phases) {
    const std::uint64_t products = launch.tensorOperations;
    const std::uint64_t wanted = lab::product(phases, phases, phases);
    if (products == wanted) return;
    if (products == 0) lab::fail("tensor-operations", about, "no warp calls mma_sync yet.");
    lab::fail("tensor-operations", about,
              "{} of mma_sync instead of {}, for {}. Let each warp\ncall it once per phase.",
              lab::count(products, "call"), lab::grouped(wanted), lab::count(phases, "phase"));
}

// Fails the test unless each block, of side x side elements of P, loads each element of its tiles
// once per phase.
inline void expectLoads(const lab::Text& about, const cusim::LaunchReport& launch, int phases,
                        int side, const char* remedy) {
    const std::uint64_t loads = launch.global().loadedBytes / kBytesOfHalf;
    const int Width = phases * kTile;
    const std::uint64_t wanted = 2 * lab::product(Width, Width, Width / side);
    if (loads == wanted) return;
    lab::fail("load-count", about, "{} from device memory instead of {}, for {}.\n{}",
              lab::count(loads, "load"), lab::grouped(wanted), lab::count(phases, "phase"), remedy);
}

// Fails the test unless each element of P is stored once, by one thread.
inline void expectStores(const lab::Text& about, Multiply* multiply, int phases) {
    const std::uint64_t stores =
        launched(about, multiply, phases, "").global().storedBytes / sizeof(float);
    const std::uint64_t elements = lab::product(phases * kTile, phases * kTile);
    if (stores == elements) return;
    lab::fail("store-count", about,
              "{} for {} of P, in {}. Store each sum once, after the loop\nover the phases.",
              lab::count(stores, "store"), lab::count(elements, "element"),
              lab::count(phases, "phase"));
}

}  // namespace tensor
