// One row of the benchmark's result.
#pragma once
#include <string>

namespace bench {

// The shape of P = M x N: M is j x k, N is k x l.
struct Size {
    int j, k, l;
    double operations() const { return 2.0 * j * k * l; }
};

struct Measurement {
    std::string kernel;
    Size size{};
    bool leftOut = false;     // a run would have taken too long
    double milliseconds = 0;  // median of the runs
    double spread = 0;        // of the middle 80 % of the runs, over the median
    int runs = 0;
    double requestedBytes = 0;  // 0: unknown

    double gigaflops() const { return size.operations() / milliseconds * 1e-6; }
};

}  // namespace bench
