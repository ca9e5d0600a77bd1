// Random matrices in device memory, together larger than the L2 cache.
#pragma once
#include <cstddef>
#include <vector>

#include "bench/measurement.h"

namespace bench {

class Inputs {
  public:
    // Makes enough sets for at least leastBytes bytes together.
    Inputs(Size size, double leastBytes);
    ~Inputs();
    Inputs(const Inputs&) = delete;
    Inputs& operator=(const Inputs&) = delete;

    int sets() const { return static_cast<int>(sets_.size()); }
    const float* M(int set) const { return sets_[set % sets()].M; }
    const float* N(int set) const { return sets_[set % sets()].N; }
    float* P() const { return P_; }

  private:
    struct Set {
        float *M, *N;
    };
    std::vector<Set> sets_;
    float* P_ = nullptr;
};

}  // namespace bench
