// The launches by which the model of a card's time is judged: every kernel of the labs' solutions
// and each rung of the ladder. The same file is compiled for the simulated device, which counts
// them, and for a card, which is measured.
#pragma once
#include <cuda_runtime.h>

#include <functional>
#include <string>
#include <vector>

namespace model {

struct Case {
    std::string lab, kernel, size;
    dim3 grid, block;
    std::size_t inputs[2], output;  // floats of its matrices; 0: it has none
    double flop;                    // 0: unknown
    // Launches it on matrices in device memory. A rung of the ladder chooses its grid itself.
    std::function<void(const float* A, const float* B, float* P)> launch;

    std::size_t floats() const { return inputs[0] + inputs[1] + output; }
};

std::vector<Case> cases();

}  // namespace model
