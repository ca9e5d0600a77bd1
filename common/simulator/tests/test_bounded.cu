// Tests kernels that took minutes, as what is kept of them was searched again and again.
#include <ctime>
#include <utility>

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

template <std::size_t First, std::size_t... I>
__device__ int loads64(const int* x, int stride, std::index_sequence<I...>) {
    int sum = 0;
    ((sum ^= x[First + I * stride]), ...);
    return sum;
}
template <std::size_t... I>
__device__ int loads4096(const int* x, int stride, std::index_sequence<I...> each) {
    int sum = 0;
    ((sum ^= loads64<I>(x, stride, each)), ...);
    return sum;
}
// The first thread has thousands of different loads between two barriers.
__global__ void loadAndMeet(const int* x, int* y, int stride, int rounds) {
    int sum = 0;
    for (int i = 0; i < rounds; ++i) {
        if (threadIdx.x < stride) sum ^= loads4096(x, stride, std::make_index_sequence<64>());
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// Two structures with padding, for one array.
struct Wide {
    double value;
    int where;
};
struct Narrow {
    int where;
    char is;
};
template <class T>
__global__ void takes(T*) {}

// Returns the processor's seconds that a launch takes, on all cores.
template <class Launch>
double secondsOf(Launch launch) {
    const std::clock_t before = std::clock();
    launch();
    return static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
}

// Has the name of a kernel of test_reasons.cu's.
__global__ void turnsRound(int* y) {
    __shared__ int own[32];
    own[threadIdx.x] = threadIdx.x;
    __syncthreads();
    y[threadIdx.x] = own[31 - threadIdx.x];
}

}  // namespace

TOLERANT_TEST("Many fences of many threads are searched once for each store") {
    const OnDevice<int> y(1), count(1, 0);
    CHECK(secondsOf([&] { storeAndCount<<<1, 64>>>(y, count, 400); }) < 10);
    CHECK(told() == "formal-race: once (remark)\nformal-race: store (remark)\n");
}

TOLERANT_TEST("A turn of a thread does not look for what others have loaded") {
    cusim::options().warps = false;  // as for most blocks
    const OnDevice<int> x(64 * 64, 1), y(1024);
    const auto seconds = [&](int threads, int stride) {
        return secondsOf([&] { loadAndMeet<<<1, threads>>>(x, y, stride, 40); });
    };
    const double loads = seconds(32, 1), turns = seconds(1024, 0), both = seconds(1024, 1);
    CHECK(both < 2.5 * (loads + turns));
    checkNothingFound();
}

DEVICE_TEST("Kernels that take one array as two structures in turn look at its padding once") {
    Wide* y = nullptr;
    cudaMalloc(&y, std::size_t{16} << 20);
    const double seconds = secondsOf([&] {
        for (int i = 0; i < 100; ++i) {
            takes<<<1, 1>>>(y + 100 - i);
            takes<<<1, 1>>>(reinterpret_cast<Narrow*>(y));
        }
    });
    CHECK(seconds < 2);
    cudaFree(y);
}

DEVICE_TEST("Two kernels of one name, each of its own file, have an array each") {
    CHECK(resultOf(turnsRound, 32, 1, 32)[0] == 31);
    checkNothingFound();
}
