// Runs a part of a lab once, for the trace of its figure. Exit status 1 if the result is wrong.
#include <vector>

#include "testing/device.h"

// Defined in lab2_tiled/banks.cu.
void transpose(const float* A, float* B, int rows, int cols);

int main() {
    constexpr int n = 32;
    std::vector<float> A(std::size_t{n} * n), B(A.size());
    for (int i = 0; i < n * n; ++i) A[i] = static_cast<float>(i);
    const device::Outcome outcome = device::run([&] { transpose(A.data(), B.data(), n, n); });
    bool right = outcome.how == device::Outcome::Returned && outcome.problems.empty();
    for (int r = 0; r < n; ++r)
        for (int c = 0; c < n; ++c) right = right && B[c * n + r] == A[r * n + c];
    return right ? 0 : 1;
}
