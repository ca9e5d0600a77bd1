// Checks products on the device: in each patch of 8 x 8 elements of P one, all of a small P,
// against an inner product in double.
#pragma once
#include <string>

#include "bench/measurement.h"

namespace bench {

class Reference {
  public:
    // Of the product of these, once for all kernels.
    Reference(const float* M, const float* N, Size size);
    ~Reference();
    Reference(const Reference&) = delete;
    Reference& operator=(const Reference&) = delete;

    // Empty, or a sentence about the first element out of bounds.
    std::string compare(const float* P) const;

  private:
    Size size_;
    int patch_, patchRows_, patchCols_;
    double *value_ = nullptr, *bound_ = nullptr;
    unsigned long long* first_ = nullptr;
};

}  // namespace bench
