// Calls constantMatrixMul.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "lab4_memtypes/constant/constant.h"
#include "matrix/compare.h"
#include "testing/lab.h"
#ifdef CUDA_SIMULATED_DEVICE
#include "simulator/simulator.h"
#endif

namespace constant {

using lab::Shape;

inline std::string sizesOf(Shape s) { return lab::filled("{} x {} x {}", s.j, s.k, s.l); }

#ifdef CUDA_SIMULATED_DEVICE
// Floats that constant memory holds.
constexpr int kConstantFloats = 16384;

// Returns the TODO that causes a wrong product of this shape, as its launches show; or nothing.
inline std::optional<Todo> causeOf(Shape s) {
    const auto& launches = cusim::launches();
    if (launches.empty()) return {};
    const int rowsOfPiece = std::min(s.j, kConstantFloats / s.k);
    const auto covers = [](unsigned blocks, unsigned threads, int all) {
        return blocks * threads >= static_cast<unsigned>(all);
    };
    const dim3 &grid = launches.front().grid, &block = launches.front().block;
    // A piece would hold no row at all.
    if (grid.x == 0 || grid.y == 0) return Todo(3);
    // The grid still maps rows to x.
    const auto& found = cusim::findings();
    const bool unset = std::any_of(found.begin(), found.end(), [](const cusim::Finding& finding) {
        return finding.kind == "unset-output";
    });
    if (unset && covers(grid.x, block.x, rowsOfPiece) && covers(grid.y, block.y, s.l) &&
        !(covers(grid.x, block.x, s.l) && covers(grid.y, block.y, rowsOfPiece)))
        return Todo(2);
    // The number of pieces is right, so their content is wrong.
    const int pieces = (s.j - 1) / rowsOfPiece + 1;
    if (pieces > 1 && !unset && launches.size() == static_cast<std::size_t>(pieces)) return Todo(4);
    return {};
}
#endif

// During its lifetime, a failing test begins with the TODO that is the cause.
class Cause {
  public:
    explicit Cause(Shape shape) : shape_(shape) {}
    Cause(const Cause&) = delete;
    Cause& operator=(const Cause&) = delete;
    ~Cause() {
#ifdef CUDA_SIMULATED_DEVICE
        if (std::uncaught_exceptions() == 0) return;
        if (const auto todo = causeOf(shape_)) lab::beginWith(*todo);
#endif
    }

  private:
    [[maybe_unused]] Shape shape_;
};

// Runs the function; other tests report findings of the kinds in `leftToOtherTests`.
inline lab::ProductRun multiply(const lab::Text& about, matrix::DataSet set,
                                const std::vector<std::string>& leftToOtherTests = {}) {
    const Shape s = lab::shapeOf(set);
    const Cause cause(s);
    INFO("j x k x l = " << sizesOf(s));
    return lab::runProduct(
        lab::andLeaks(leftToOtherTests), about, std::move(set),
        [&](auto... matrices) { constantMatrixMul(matrices..., s.j, s.k, s.l); });
}

inline void expectRight(const lab::Text& about, Shape s) {
    const Cause cause(s);
    const lab::ProductRun run = multiply(about, lab::integers(s));
    INFO("j x k x l = " << sizesOf(s));
    lab::expectProduct(about, run);
}

}  // namespace constant
