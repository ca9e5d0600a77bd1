// Calls matrixMulWithTile and dynamicMatrixMul. The tests know of a kernel only what these calls
// do.
#pragma once

#include <string>
#include <vector>

#include "lab4_memtypes/tile_limits.h"
#include "matrix/compare.h"
#ifdef CUDA_SIMULATED_DEVICE
#include "testing/lab_sim.h"
#endif

// Begins a failure with the TODO at fault: the tiles can be judged only if the launch gives the
// shared array's size, the device allows it, and the second tile begins inside it. The failing line
// may belong to another TODO.
class NeedsItsSize {
  public:
    explicit NeedsItsSize(int tileWidth) : tileWidth_(tileWidth) {}
    NeedsItsSize(const NeedsItsSize&) = delete;
    NeedsItsSize& operator=(const NeedsItsSize&) = delete;
    ~NeedsItsSize() {
#ifdef CUDA_SIMULATED_DEVICE
        if (cusim::launches().empty()) return;
        const auto& launch = cusim::launches().front();
        if (launch.staticSharedBytes > 0) return;
        if (launch.dynamicSharedBytes < bytesOfTiles(tileWidth_))
            lab::beginWith(Todo(1));
        else if (notAskedFor(launch))
            lab::beginWith(Todo(7));
        else if (launch.block.x == static_cast<unsigned>(tileWidth_) && beginsTooFar())
            lab::beginWith(Todo(2));
#endif
    }

  private:
#ifdef CUDA_SIMULATED_DEVICE
    // Returns whether the launch was refused only because the kernel never asked for this size.
    static bool notAskedFor(const cusim::LaunchReport& launch) {
        const auto& found = cusim::findings();
        cudaDeviceProp device{};
        return std::any_of(found.begin(), found.end(),
                           [](const cusim::Finding& finding) {
                               return finding.kind == "invalid-launch" &&
                                      finding.title.find("shared memory") != std::string::npos;
                           }) &&
               cudaGetDeviceProperties(&device, 0) == cudaSuccess &&
               launch.dynamicSharedBytes <= device.sharedMemPerBlockOptin;
    }
    // Returns whether the second tile begins at its distance in bytes, used as a distance in
    // floats.
    bool beginsTooFar() const {
        const std::string index =
            "index " + std::to_string(bytesOfTiles(tileWidth_) / 2) + " (linear)";
        const auto& found = cusim::findings();
        return std::any_of(found.begin(), found.end(), [&](const cusim::Finding& finding) {
            const auto& details = finding.details;
            return finding.kind == "out-of-bounds" &&
                   std::any_of(details.begin(), details.end(), [&](const std::string& detail) {
                       return detail.rfind(index, 0) == 0;
                   });
        });
    }
#endif

    int tileWidth_;
};

inline lab::ProductRun runWithTile(const lab::Text& about, matrix::DataSet set, int tileWidth,
                                   const std::vector<std::string>& leftToOtherTests = {}) {
    const int Width = set.spec.j;
    const NeedsItsSize size(tileWidth);
    return lab::runProduct(
        lab::andLeaks(leftToOtherTests), about, std::move(set),
        [&](auto... matrices) { matrixMulWithTile(matrices..., Width, tileWidth); });
}

// Fails the test unless the product is right. Says if the kernel's array is not copied back,
// which is no fault of the kernel, else what `guess` returns if no general explanation fits.
inline void expectRight(
    const lab::Text& about, const lab::ProductRun& run,
    const std::function<std::string()>& guess = [] { return std::string(); }) {
#ifdef CUDA_SIMULATED_DEVICE
    if (!lab::isRight(run))
        if (const std::string lost = lab::notCopiedBack(); !lost.empty())
            lab::failOfNoStep(lab::unwrittenIn(run.P).empty() ? "wrong" : "never-written",
                              "the product is wrong on {}.\n{}", run.set.spec.name, lost);
#endif
    lab::expectProduct(about, run, guess);
}

inline lab::ProductRun runDynamic(const lab::Text& about, matrix::DataSet set,
                                  const std::vector<std::string>& leftToOtherTests = {}) {
    const int Width = set.spec.j;
    const NeedsItsSize size(kRows);
    return lab::runProduct(lab::andLeaks(leftToOtherTests), about, std::move(set),
                           [&](auto... matrices) { dynamicMatrixMul(matrices..., Width); });
}
