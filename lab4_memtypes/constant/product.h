// Calls constantMatrixMul.
#pragma once

#include <cuda_runtime.h>

#include <string>
#include <vector>

#include "lab4_memtypes/constant/constant.h"
#include "matrix/compare.h"
#include "testing/lab.h"
#include "testing/role.h"
#ifdef CUDA_SIMULATED_DEVICE
#include "lab4_memtypes/constant/causes_sim.h"
#endif

namespace constant {

using lab::Shape;

inline std::string sizesOf(Shape s) { return lab::filled("{} x {} x {}", s.j, s.k, s.l); }

// Calls a function that runs the code on this M. If that fails, the report names the cause.
template <class Run>
auto withCause([[maybe_unused]] Shape shape, [[maybe_unused]] const float* M, Run run) {
#ifdef CUDA_SIMULATED_DEVICE
    try {
        return run();
    } catch (...) {
        lab::addToEnd(Causes(shape, M).tell());
        throw;
    }
#else
    return run();
#endif
}

// Runs the function; other tests report findings of the kinds in `leftToOtherTests`.
inline lab::ProductRun multiply(const lab::Text& about, matrix::DataSet set,
                                const std::vector<std::string>& leftToOtherTests = {}) {
    const Shape s = lab::shapeOf(set);
    INFO("j x k x l = " << sizesOf(s));
    return withCause(s, set.M.data(), [&] {
        return lab::runProduct(
            lab::andLeaks(leftToOtherTests), about, std::move(set),
            [&](auto... matrices) { constantMatrixMul(matrices..., s.j, s.k, s.l); });
    });
}

// Returns why a product is wrong, for the line after its sizes.
inline std::string causeOf([[maybe_unused]] const lab::ProductRun& run) {
    std::string cause;
#ifdef CUDA_SIMULATED_DEVICE
    if (lab::isRight(run)) return cause;
    if (const std::string lost = lab::notCopiedBack(); !lost.empty()) {
        lab::blameNoStep();
        return "\n" + lost;
    }
    const Causes causes(lab::shapeOf(run.set), run.set.M.data());
    cause = causes.tell();
    if (!cause.empty()) cause = "\n" + cause + causes.wrongLoads(run.set.N.data());
#endif
    return cause;
}

#ifdef CUDA_SIMULATED_DEVICE
// Whether a product was right and took its elements of M from global memory, too, though M fits
// constant memory.
inline bool tookMFromGlobal = false;

// Records that for the last call, whose product is right. Each product reads its element of N, and
// half as much again is no reason to doubt; products that are computed again read Mc as often.
inline void noteReads(Shape s) {
    if (!testing::judges()) return;
    const int floats = 65536 / static_cast<int>(sizeof(float));
    std::uint64_t reads = 0, ofMc = 0;
    for (const auto& launch : cusim::launches()) {
        reads += lab::floatsRead(launch.global());
        ofMc += lab::floatsRead(launch.space[static_cast<int>(cusim::Space::Constant)]);
    }
    const std::uint64_t products = std::max(lab::product(s.j, s.k, s.l), ofMc),
                        elements = lab::product(s.j, s.l);
    tookMFromGlobal |= s.j * s.k <= floats && 2 * reads > 3 * products + 2 * elements;
}
#endif

inline void expectRight(const lab::Text& about, Shape s) {
#ifdef CUDA_SIMULATED_DEVICE
    const lab::CountElements counting;
#endif
    const lab::ProductRun run = multiply(about, lab::integers(s));
    const std::string cause = causeOf(run);
    INFO("j x k x l = " << sizesOf(s) << cause);
    lab::expectProduct(about, run);
#ifdef CUDA_SIMULATED_DEVICE
    noteReads(s);
#endif
}

}  // namespace constant
