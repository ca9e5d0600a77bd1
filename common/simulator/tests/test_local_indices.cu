// Tests which indices of local arrays are found.
#include "chosen_options.h"
#include "on_device.h"

namespace {

__global__ void rotateKernel(int* y, unsigned by) {
    int local[4];
    for (unsigned i = 0; i < 4; ++i) local[(i + threadIdx.x * by) % 4] = 1;
    for (unsigned i = 0; i <= threadIdx.x % 4; ++i) y[threadIdx.x] += local[i];
}

__global__ void phasesKernel(int* y, unsigned phases, unsigned byPhase, unsigned byBlock) {
    int local[4] = {};
    for (unsigned ph = 0; ph < phases; ++ph)
        for (unsigned i = 0; i < 4; ++i) local[(i + ph * byPhase + blockIdx.x * byBlock) % 4] += 1;
    for (const int one : local) y[blockIdx.x] += one;
}

}  // namespace

DEVICE_TEST("An index of a local array that depends on the block or on the phase is found") {
    cusim::options().localIndices = 3;
    for (const int workers : {1, 2, 5})
        for (const unsigned byPhase : {0, 1})
            for (const unsigned byBlock : {0, 1}) {
                INFO(workers << " workers, " << byPhase << byBlock);
                cusim::options().workers = workers;
                OnDevice<int> y(5, 0);
                phasesKernel<<<5, 1>>>(y, 3, byPhase, byBlock);
                const auto& launch = cusim::launches().back();
                CHECK((launch.changingIndex.line > 0) == (byPhase + byBlock > 0));
                CHECK(launch.threadIndex.line == 0);
            }
}

DEVICE_TEST("An index of a local array that depends on the thread is found") {
    cusim::options().localIndices = 1;
    OnDevice<int> y(70, 0);
    for (const int by : {0, 1}) {
        rotateKernel<<<1, 70>>>(y, by);
        CHECK((cusim::launches().back().threadIndex.line > 0) == (by == 1));
    }
}
