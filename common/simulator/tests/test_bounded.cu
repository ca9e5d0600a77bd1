// Tests kernels that took minutes, as what is kept of them was searched again and again.
#include <ctime>

#include "on_device.h"
#include "tolerant.h"

namespace {

// Half of the threads store once, which no fence hands over; the others know ever more.
__global__ void storeAndCount(int* y, int* count, int rounds) {
    if (threadIdx.x % 2 == 0) *y = 1;  // once
    for (int i = 0; i < rounds && threadIdx.x % 2 == 1; ++i) {
        *y = 1;  // store
        __threadfence();
        atomicAdd(count, 1);
    }
}

// Returns the processor's seconds that a launch takes, on all cores.
template <class Launch>
double secondsOf(Launch launch) {
    const std::clock_t before = std::clock();
    launch();
    return static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
}

}  // namespace

TOLERANT_TEST("Many fences of many threads are searched once for each store") {
    const OnDevice<int> y(1), count(1, 0);
    CHECK(secondsOf([&] { storeAndCount<<<1, 64>>>(y, count, 400); }) < 10);
    CHECK(told() ==
          "formal-race: once (remark)\nformal-race: store (remark)\n"
          "formal-race: once, store (remark)\n");
}
