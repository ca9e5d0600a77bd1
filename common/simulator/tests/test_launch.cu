// Tests what a launch accepts as a kernel and passes on to it, and what lasts from launch to
// launch.
#include <string>
#include <vector>

#include "chosen_options.h"
#include "on_device.h"
#include "simulator/memory/unset.h"

extern __shared__ int outside[];

namespace {

// Far from the kernels that use it, so that launches need its name.
namespace far {
template <class T>
__global__ void kernelOfNamespace(T* y, T value) {
    y[2] = value;
}
}  // namespace far

__device__ int counter;
__device__ int initial[] = {10, 20, 30};
__constant__ int factors[4];
static __device__ int given, added = 5;
__managed__ int shared = 3;

__global__ void receive(float* y, float a, char b) {
    y[0] = a;
    y[1] = b;
}

__global__ void nothing(int) {}

struct Inner {
    int c;
};
struct Settings {
    int a, b;
    Inner inner;
};

__global__ void changeCopy(int* y, Settings s) {
    s.a += threadIdx.x;
    s.inner.c *= 10;
    __syncthreads();
    y[threadIdx.x] = s.a * 100 + s.inner.c;
}

struct Shape {
    __device__ virtual int corners() const { return 0; }
};
struct Square : Shape {
    __device__ int corners() const override { return 4; }
};

__global__ void callVirtual(int* y) {
    const Square square;
    const Shape& shape = square;
    *y = shape.corners();
}

__global__ void storeOne(int* y) { *y = 1; }
__global__ void storeTwo(int* y) { *y = 2; }

using Kernel = void (*)(int*);
Kernel pick(int i) { return i == 0 ? storeOne : storeTwo; }

__global__ void overloaded(int* y) { y[0] = 1; }
__global__ void overloaded(float* y) { y[1] = 2; }

template <int N, class T>
__global__ void explicitAndDeduced(T* y) {
    y[3] = 40 + N;
}

__global__ void reverse(int* y) {
    extern __shared__ int s[];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    y[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

__global__ void reverseOutside(int* y) {
    outside[threadIdx.x] = threadIdx.x;
    __syncthreads();
    y[threadIdx.x] = reinterpret_cast<const int*>(outside)[blockDim.x - 1 - threadIdx.x];
}

__global__ void transpose(int* y) {
    extern __shared__ int s[][4];
    s[threadIdx.y][threadIdx.x] = threadIdx.y * 4 + threadIdx.x;
    __syncthreads();
    y[threadIdx.y * 4 + threadIdx.x] = s[threadIdx.x][threadIdx.y];
}

__global__ void carve(float* y, int n) {
    extern __shared__ __align__(8) unsigned char raw[];
    double* d = reinterpret_cast<double*>(raw);
    float* f = reinterpret_cast<float*>(d + n);
    int* i = (int*)(f + n);
    const int t = threadIdx.x;
    d[t] = 0.5 * t;
    f[t] = 0.25f * t;
    i[t] = 10 * t;
    __syncthreads();
    const int o = n - 1 - t;
    y[t] = static_cast<float>(d[o]) + f[o] + i[o];
}

__global__ void mark(unsigned* seen) {
    const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    atomicAdd(&seen[block * (blockDim.x * blockDim.y * blockDim.z) + thread], 1u);
}

__global__ void leaveInShared(int* y) {
    __shared__ int s[2];
    y[blockIdx.x * 2] = s[0];
    y[blockIdx.x * 2 + 1] = s[1];
    s[0] = s[1] = 7;
}

__global__ void increment() { ++counter; }
__global__ void readInitial(int* y) { *y = initial[1]; }
__global__ void multiply(int* y) {
    for (int i = 0; i < 4; ++i) y[i] = factors[i] * 2 + given + added;
}

__global__ void lookAt(const int* values) { __syncthreads(), static_cast<void>(*values); }
__global__ void doubleAll(int* values) { values[threadIdx.x] *= 2; }
__global__ void addToManaged() { shared += 4; }

using Ints = std::vector<int>;

Ints dynamicShared(int n, void (*kernel)(int*) = reverse) {
    const OnDevice<int> y(n);
    kernel<<<1, n, n * sizeof(int)>>>(y);
    return y.host();
}

int countUp() {
    increment<<<1, 1>>>();
    int value = 0;
    cudaMemcpyFromSymbol(&value, counter, sizeof value);
    return value;
}

// Kernels in every form that a declaration may have. The launches of what is no kernel are those
// that the translator cannot see through.
__managed__ int ran;

__global__ void first(int by);
void first(int by) { ran += by; }
__global__ static void second(int by) { ran += by; }
static __global__ void third(int by) { ran += by; }
inline __global__ void fourth(int by) { ran += by; }
void __global__ __launch_bounds__(32) fifth(int by) { ran += by; }
extern "C" __global__ void declaredSixth(int by) { ran += by; }
template <class T>
__global__ void seventh(T by) {
    ran += by;
}
template <>
__global__ void seventh<long>(long by) {
    ran += static_cast<int>(by);
}
template __global__ void seventh<short>(short by);

template <class Kernel>
void launch(Kernel kernel, int by) {
    kernel<<<1, 1>>>(by);
}
template <void (*kernel)(int)>
void launchArgument(int by) {
    kernel<<<1, 1>>>(by);
}

// Not a kernel.
void plain(int by) { ran += by; }
void (*const pointer)(int) = plain;

void call(void (*kernel)(int)) {
    int one = 1;
    void* arguments[] = {&one};
    cudaLaunchKernel(kernel, 1, 1, arguments);
}

void byPointer() { pointer<<<1, 1>>>(1); }
void byHelper() { launch(plain, 1); }
void byCall() { call(plain); }

}  // namespace

DEVICE_TEST("Arguments are converted to the parameters' types") {
    const OnDevice<float> y(2);
    receive<<<1, 1>>>(y, 7, static_cast<char>(65));
    CHECK(y.host() == std::vector<float>{7.0f, 65.0f});
    checkNothingFound();
}

DEVICE_TEST("Arguments are evaluated once, not by each thread") {
    int evaluated = 0;
    nothing<<<2, 32>>>(++evaluated);
    CHECK(evaluated == 1);
}

TEST_CASE("Each thread has its own copy of a structure passed by value") {
    for (const int workers : {1, 2}) {
        const ChosenOptions chosen(workers);
        CHECK(resultOf(changeCopy, 8, 1, 8, Settings{1, 2, {3}}) ==
              Ints{130, 230, 330, 430, 530, 630, 730, 830});
        checkNothingFound();
    }
}

DEVICE_TEST("A kernel can be launched through a pointer") {
    const OnDevice<int> y(1), z(1);
    const Kernel table[] = {storeOne, storeTwo};
    table[0]<<<1, 1>>>(y);
    pick(1)<<<1, 1>>>(z);
    CHECK(y.host()[0] == 1);
    CHECK(z.host()[0] == 2);
    CHECK(resultOf(receive, 2, 1, 1, 1.5f, 9) == std::vector<float>{1.5f, 9});
    checkNothingFound();
    const std::string name = cusim::launches().back().kernel;
    CHECK(name.substr(name.rfind("(anonymous")) == "(anonymous namespace)::receive");
}

DEVICE_TEST("Template and overloaded kernels are launched by the types of the arguments") {
    const OnDevice<int> y(4, 0);
    int* const ints = y;
    overloaded<<<1, 1>>>(ints);
    const OnDevice<float> z(2, 0.0f);
    float* const floats = z;
    overloaded<<<1, 1>>>(floats);
    far::kernelOfNamespace<<<1, 1>>>(ints, 3);
    explicitAndDeduced<16><<<1, 1>>>(ints);
    CHECK(y.host() == Ints{1, 0, 3, 56});
    CHECK(z.host()[1] == 2);
    checkNothingFound();
    REQUIRE(cusim::launches().size() == 4);
    CHECK(cusim::launches()[2].kernel == "far::kernelOfNamespace");
    CHECK(cusim::launches()[3].kernel == "explicitAndDeduced<16>");
}

DEVICE_TEST("A kernel calls the virtual functions of its own objects") {
    CHECK(resultOf(callVirtual, 1, 1, 1)[0] == 4);
    checkNothingFound();
}

DEVICE_TEST("Dynamic shared memory is as large as the launch says") {
    CHECK(dynamicShared(4) == Ints{3, 2, 1, 0});
    checkNothingFound();
    CHECK(cusim::launches().back().dynamicSharedBytes == 16);
    CHECK(cusim::launches().back().shared().loads == 4);
    CHECK(cusim::launches().back().shared().stores == 4);
    CHECK(dynamicShared(1024).front() == 1023);
    checkNothingFound();
}

TEST_CASE("Dynamic shared memory may be declared outside functions and as rows") {
    for (const int workers : {1, 2}) {
        const ChosenOptions chosen(workers);
        CHECK(dynamicShared(4, reverseOutside) == Ints{3, 2, 1, 0});
        CHECK(cusim::launches().back().shared().loads == 4);
        const OnDevice<int> y(16);
        transpose<<<1, dim3(4, 4), 16 * sizeof(int)>>>(y);
        CHECK(y.host() == Ints{0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15});
        checkNothingFound();
    }
}

DEVICE_TEST("A dynamic shared array does not go by the name of another kernel's") {
    dynamicShared(4);
    CHECK(cusim::launches().back().arrays.back().name == "s");
    dynamicShared(4, reverseOutside);
    CHECK(cusim::launches().back().arrays.back().name == "dynamic shared memory");
}

DEVICE_TEST("Several arrays can be carved from one dynamic buffer") {
    const OnDevice<float> y(4);
    carve<<<1, 4, 4 * (sizeof(double) + sizeof(float) + sizeof(int))>>>(y, 4);
    CHECK(y.host() == std::vector<float>{32.25f, 21.5f, 10.75f, 0.0f});
    checkNothingFound();
    CHECK(cusim::launches().back().shared().storedBytes == 4 * (8 + 4 + 4));
    CHECK(cusim::launches().back().shared().loadedBytes == 4 * (8 + 4 + 4));
}

TEST_CASE("Every thread of a grid with three dimensions runs exactly once") {
    underEachSchedule([] {
        const std::size_t count = 2 * 3 * 4 * 4 * 2 * 3;
        const auto seen = resultOf(mark, count, dim3(2, 3, 4), dim3(4, 2, 3));
        CHECK(seen == std::vector<unsigned>(count, 1u));
        checkNothingFound();
        CHECK(cusim::launches().back().threads == seen.size());
        CHECK(cusim::launches().back().global().atomics == seen.size());
    });
}

TEST_CASE("A block finds unset shared memory, whatever another block left there") {
    const ChosenOptions chosen(1);
    const int unset = static_cast<int>(cusim::kUnsetWord);
    CHECK(resultOf(leaveInShared, 4, 2, 1) == Ints{unset, unset, unset, unset});
}

DEVICE_TEST("A device variable keeps its value from launch to launch") {
    const int before = countUp();
    CHECK(countUp() == before + 1);
    CHECK(countUp() == before + 2);
    CHECK(resultOf(readInitial, 1, 1, 1)[0] == 20);
    checkNothingFound();
}

DEVICE_TEST("Symbols are copied whole and in part") {
    const int all[] = {1, 2, 3, 4}, last = 9, one = 100;
    cudaMemcpyToSymbol(factors, all, sizeof all);
    cudaMemcpyToSymbol(factors, &last, sizeof last, 3 * sizeof(int));
    cudaMemcpyToSymbol(given, &one, sizeof one);
    CHECK(resultOf(multiply, 4, 1, 1) == Ints{107, 109, 111, 123});
    int value = 0;
    cudaMemcpyFromSymbol(&value, factors, sizeof value, 2 * sizeof(int));
    CHECK(value == 3);
    std::size_t bytes = 0;
    cudaGetSymbolSize(&bytes, factors);
    CHECK(bytes == 16);
    void* address = nullptr;
    cudaGetSymbolAddress(&address, factors);
    cudaMemcpy(&value, address, sizeof value, cudaMemcpyDeviceToHost);
    CHECK(value == 1);
    CHECK_FALSE(cusim::launches().back().constantByAddress);
    lookAt<<<1, 1>>>(static_cast<const int*>(address));
    CHECK(cusim::launches().back().constantByAddress);
    checkNothingFound();
}

DEVICE_TEST("Managed and pinned memory is used from both sides") {
    int *managed = nullptr, *pinned = nullptr;
    cudaMallocManaged(&managed, 4 * sizeof(int));
    cudaMallocHost(&pinned, 4 * sizeof(int));
    for (int i = 0; i < 4; ++i) managed[i] = pinned[i] = i + 1;
    const OnDevice<int> copy(4);
    cudaMemcpy(copy, pinned, 4 * sizeof(int), cudaMemcpyHostToDevice);
    shared = 3;
    doubleAll<<<1, 4>>>(managed);
    doubleAll<<<1, 4>>>(pinned);
    addToManaged<<<1, 1>>>();
    cudaMemcpy(pinned + 2, copy, 2 * sizeof(int), cudaMemcpyDeviceToHost);
    CHECK(Ints(managed, managed + 4) == Ints{2, 4, 6, 8});
    CHECK(shared == 7);
    CHECK(Ints(pinned, pinned + 4) == Ints{2, 4, 1, 2});
    cudaFree(managed);
    cudaFreeHost(pinned);
    checkNothingFound();
}

DEVICE_TEST("A kernel is known as one in every form of its declaration and of its launch") {
    ran = 0;
    void (*const kernels[])(int) = {first, second,        third,        fourth,
                                    fifth, declaredSixth, seventh<int>, first};
    int all = 0;
    for (const auto kernel : kernels) {
        kernel<<<1, 1>>>(1);
        launch(kernel, 1);
        call(kernel);
        all += 3;
    }
    launchArgument<second>(1);
    launchArgument<seventh<int>>(1);
    seventh<long><<<1, 1>>>(1);
    seventh<<<1, 1>>>(1u);
    seventh<short><<<1, 1>>>(1);
    all += 5;
    CHECK(ran == all);
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(cusim::findings().empty());
}

TEST_CASE("A function without __global__ is not launched, by whatever way it comes") {
    for (void (*const way)() : {byPointer, byHelper, byCall}) {
        cusim::reset();
        ran = 0;
        way();
        CHECK(ran == 0);
        CHECK(cudaGetLastError() == cudaErrorInvalidDeviceFunction);
        const cusim::Finding finding = onlyFinding();
        INFO(cusim::text(finding));
        CHECK(finding.kind == "invalid-launch");
        CHECK(holds(finding.title, "without __global__"));
        CHECK(holds(finding.file, "test_launch.cu"));
        CHECK(finding.line > 0);
    }
}
