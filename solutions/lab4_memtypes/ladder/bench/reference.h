// Checks products on the device against inner products in double: every element of a small P, else
// one element of each 8 x 8 patch.
#pragma once
#include <string>

#include "bench/timing.h"

namespace bench {

class Reference {
  public:
    // Computes the reference of a product once for all kernels.
    Reference(const float* M, const float* N, Size size);

    // Returns a sentence about the first element out of bounds; empty if there is none.
    std::string compare(const float* P) const;

  private:
    Size size_;
    int patch_, patchRows_, patchCols_;
    DeviceArray<double> value_, bound_;
    DeviceArray<unsigned long long> first_;
};

}  // namespace bench
