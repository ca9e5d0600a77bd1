// Grids that cover matrices.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string>

#include "matrix/compare.h"
#include "testing/device.h"
#include "testing/lab.h"
#ifdef CUDA_SIMULATED_DEVICE
#include "testing/lab_sim.h"
#endif

// Returns the smallest grid that covers a rows x cols matrix; `inOneDimension` one whose threads
// all lie along x.
inline dim3 gridFor(int rows, int cols, dim3 block, bool inOneDimension = false) {
    if (inOneDimension) return lab::tilesIn(rows * cols, block.x);
    return dim3(lab::tilesIn(cols, block.x), lab::tilesIn(rows, block.y));
}

// Which elements the threads for a small result store in one that is larger in both directions, so
// that no guard excludes a thread.
enum class Stored { Together, Apart, Exchanged, Own };

// Runs a launch with such a grid, which returns the larger result. Together: several threads store
// one element, or outside of the result. Own: each stores the element of its y and x.
template <class Launch>
Stored storedInLarger(matrix::Matrix larger, int rows, int cols, const Launch& launch) {
    const auto outcome = device::run(lab::gives(larger), [&] { larger = launch(); });
    if (!outcome.problems.empty()) return Stored::Together;
    const matrix::Matrix poison = matrix::poisoned(1, 1);
    bool own = true, exchanged = true;
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < cols; ++c) {
            own &= !(matrix::Matrix(1, 1, larger(r, c)) == poison);
            exchanged &= !(matrix::Matrix(1, 1, larger(c, r)) == poison);
        }
    return own ? Stored::Own : exchanged ? Stored::Exchanged : Stored::Apart;
}

#ifdef CUDA_SIMULATED_DEVICE
// Tests whether each element that a launch stores is stored equally often, as by threads that
// differ in y alone.
inline bool storesAlike(const cusim::LaunchReport& launch) {
    std::set<std::uint32_t> times;
    for (const auto& array : launch.arrays)
        if (array.allocation >= 0)
            times.insert(array.elementStores.begin(), array.elementStores.end());
    times.erase(0);
    return times.size() == 1;
}

// Returns the first element that no thread stores, of an array that a launch stores into.
inline std::optional<std::size_t> firstNotStored(const cusim::LaunchReport& launch) {
    for (const auto& array : launch.arrays) {
        if (array.count.stores == 0 || array.allocation < 0) continue;
        const auto& stores = array.elementStores;
        const auto none = std::find(stores.begin(), stores.end(), 0);
        if (none != stores.end()) return static_cast<std::size_t>(none - stores.begin());
    }
    return std::nullopt;
}
#endif
