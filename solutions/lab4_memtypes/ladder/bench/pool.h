// Random numbers in device memory, from which products of any shape take their inputs.
#pragma once
#include <cstddef>

#include "bench/device.h"
#include "bench/report.h"

namespace bench {

class Pool {
  public:
    explicit Pool(std::size_t floats);

    void fillWholeNumbers();  // -4 to 4: sums of a million products are exact
    void fillFractions();     // evenly from -1 to 1

    // Returns the inputs of a set; each begins at a multiple of 256 bytes.
    const float* M(Size size, std::size_t set) const;
    const float* N(Size size, std::size_t set) const;

    // Returns how many sets have at least so many bytes together, or as many as there are.
    std::size_t sets(Size size, double leastBytes) const;

    static std::size_t floatsOf(Size size);  // of one set

  private:
    std::size_t floats_;
    DeviceArray<float> values_;
};

}  // namespace bench
