// Checks products on the device against inner products in double: every element of a small P, else
// one element of each 8 x 8 patch.
#pragma once
#include <string>

#include "bench/measurement.h"

namespace bench {

class Reference {
  public:
    // Computes the reference of M x N once for all kernels.
    Reference(const float* M, const float* N, Size size);
    ~Reference();
    Reference(const Reference&) = delete;
    Reference& operator=(const Reference&) = delete;

    // Returns a sentence about the first element out of bounds; empty where there is none.
    std::string compare(const float* P) const;

  private:
    Size size_;
    int patch_, patchRows_, patchCols_;
    double *value_ = nullptr, *bound_ = nullptr;
    unsigned long long* first_ = nullptr;
};

}  // namespace bench
