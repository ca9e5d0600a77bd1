// Times a product on the device.
#pragma once
#include <functional>

#include "bench/device.h"
#include "bench/report.h"

namespace bench {

// Random matrices in device memory, enough sets for at least leastBytes bytes together.
struct Inputs {
    struct Set {
        DeviceArray<float> M, N;
    };
    std::vector<Set> sets;
    DeviceArray<float> P;

    Inputs(Size size, double leastBytes);
};

using Product = std::function<void(const float* M, const float* N, float* P, Size size)>;

// Returns the milliseconds that work takes on the device.
double timed(const std::function<void()>& work);

// Fills in milliseconds, spread and runs. Every launch takes the next set of inputs.
void time(const Product& product, const Inputs& inputs, Measurement& measurement);

}  // namespace bench
