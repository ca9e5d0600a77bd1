// Times a product on the device.
#pragma once
#include <functional>

#include "bench/inputs.h"
#include "bench/measurement.h"

namespace bench {

using Product = std::function<void(const float* M, const float* N, float* P, Size size)>;

// Fills in milliseconds, spread and runs. Every launch takes the next set of inputs.
void time(const Product& product, const Inputs& inputs, Measurement& measurement);

}  // namespace bench
