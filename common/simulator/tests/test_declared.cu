// Tests that a launch accepts __global__ functions only, and each of them in every form that its
// declaration may have. The launches of what is no kernel are those that the translator cannot see
// through.
#include "chosen_options.h"
#include "on_device.h"

namespace {

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
        CHECK(holds(finding.file, "test_declared.cu"));
        CHECK(finding.line > 0);
    }
}
