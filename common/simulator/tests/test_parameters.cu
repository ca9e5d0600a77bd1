// Tests what kernels get for their parameters: bytes of the host's copy, which it alone destroys.
#include <vector>

#include "chosen_options.h"
#include "on_device.h"

namespace {

// Counts its copies and ends, wherever they happen.
__managed__ int copied, destroyed;
struct Counted {
    int* data;
    int first = 3;
    explicit Counted(int* values) : data(values) {}
    Counted(const Counted& other) : data(other.data), first(other.first) { ++copied; }
    Counted& operator=(const Counted&) = delete;
    ~Counted() { ++destroyed; }
};
struct OnlyMoved {
    int value;
    explicit OnlyMoved(int given) : value(given) {}
    OnlyMoved(const OnlyMoved&) = delete;
    OnlyMoved(OnlyMoved&&) = default;
};

__global__ void sum(int by, Counted counted) {
    counted.first += threadIdx.x;  // each thread has its own
    counted.data[threadIdx.x] = counted.first + by;
}
template <class T>
__global__ void scaled(Counted counted, const T* from, T by, long n) {
    if (threadIdx.x < n) counted.data[threadIdx.x] = from[threadIdx.x] * by;
}
__global__ void either(Counted counted, int value) { counted.data[0] = value; }
__global__ void either(Counted counted, float) { counted.data[0] = -1; }
__global__ void either(Counted, Counted);
__global__ void moved(OnlyMoved from, int* to) { *to = from.value; }
__global__ void increment(int& element, const int& by) { element += by; }
template <class T>
__global__ void incrementAny(T& element, const T* by) {
    element += *by;
}

using Ints = std::vector<int>;

// Checks what a launch leaves, and that it copies and destroys a class once, on the host.
template <class Launch>
void checkOneCopy(const Ints& expected, const Launch& launch) {
    copied = destroyed = 0;
    const OnDevice<int> values(expected.size(), 0);
    {
        Counted counted(values);
        launch(counted);
        CHECK(cudaDeviceSynchronize() == cudaSuccess);
        CHECK(copied == 1);
        CHECK(destroyed == 1);
    }
    CHECK(values.host() == expected);
    CHECK(cusim::findings().empty());
}

}  // namespace

DEVICE_TEST("A class that is passed by value is copied and destroyed once, by the host") {
    checkOneCopy({5, 6, 7, 8}, [](Counted& counted) { sum<<<1, 4>>>(2, counted); });
    const auto kernel = sum;
    checkOneCopy({5, 6, 7, 8}, [&](Counted& counted) { kernel<<<1, 4>>>(2, counted); });
}

DEVICE_TEST("Templates and overloaded kernels take a class by value like others") {
    const OnDevice<float> from(4, 2.0f);
    float* const start = from;  // no const float*, and the numbers are no long
    checkOneCopy({6, 6, 0, 0},
                 [&](Counted& counted) { scaled<<<1, 4>>>(counted, start, 3.0f, 2u); });
    checkOneCopy({6, 6, 0, 0},
                 [&](Counted& counted) { scaled<float><<<1, 4>>>(counted, start, 3, 2u); });
    checkOneCopy({7}, [](Counted& counted) { either<<<1, 1>>>(counted, 7); });
    checkOneCopy({-1}, [](Counted& counted) { either<<<1, 1>>>(counted, 7.0f); });
}

DEVICE_TEST("A launch by pointer copies the bytes of a class alone") {
    copied = destroyed = 0;
    const OnDevice<int> values(4, 0);
    Counted counted(values);
    int by = 2;
    void* arguments[] = {&by, &counted};
    CHECK(cudaLaunchKernel(sum, dim3(1), dim3(4), arguments) == cudaSuccess);
    CHECK(copied + destroyed == 0);
    CHECK(values.host() == Ints{5, 6, 7, 8});
}

DEVICE_TEST("A kernel is launched by an address without a type") {
    const OnDevice<int> values(4, 0);
    int by = 2;
    Counted counted(values);
    void* arguments[] = {&by, &counted};
    const void* kernel = (void*)sum;
    CHECK(cudaLaunchKernel(kernel, dim3(1), dim3(4), arguments, 0, nullptr) == cudaSuccess);
    CHECK(values.host() == Ints{5, 6, 7, 8});
    CHECK(cudaLaunchKernel(&by, dim3(1), dim3(4), arguments) == cudaErrorInvalidDeviceFunction);
}

DEVICE_TEST("A class that can only be moved goes to a kernel") {
    const OnDevice<int> to(1, 0);
    moved<<<1, 1>>>(OnlyMoved(4), to);
    CHECK(to.host() == Ints{4});
}

DEVICE_TEST("A kernel may have references to managed memory") {
    int* values = nullptr;
    cudaMallocManaged(&values, 2 * sizeof(int));
    values[0] = 10;
    values[1] = 1;
    increment<<<1, 1>>>(values[0], values[1]);
    incrementAny<<<1, 1>>>(values[0], values + 1);
    void* arguments[] = {&values, &values};
    CHECK(cudaLaunchKernel(increment, dim3(1), dim3(1), arguments) == cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(values[0] == 24);
    cudaFree(values);
    CHECK(cusim::findings().empty());
}

DEVICE_TEST("A reference to the host's memory is reported as a pointer of the host's") {
    int element = 1, by = 2;
    increment<<<1, 1>>>(element, by);
    REQUIRE(cusim::findings().size() == 1);
    CHECK(cusim::findings().front().kind == "host-pointer");
}
