// Kernels in every form that a declaration may have, and one function that is no kernel. The
// launches of it are those that the translator cannot see through.
#include "kernels_declared.h"

namespace declared {
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

}  // namespace

int runAll(int& all) {
    ran = 0;
    void (*const kernels[])(int) = {first, second,        third,        fourth,
                                    fifth, declaredSixth, seventh<int>, first};
    all = 0;
    for (const auto kernel : kernels) {
        kernel<<<1, 1>>>(1);
        launch(kernel, 1);
        int one = 1;
        void* arguments[] = {&one};
        cudaLaunchKernel(kernel, 1, 1, arguments);
        all += 3;
    }
    launchArgument<second>(1);
    launchArgument<seventh<int>>(1);
    seventh<long><<<1, 1>>>(1);
    seventh<<<1, 1>>>(1u);
    seventh<short><<<1, 1>>>(1);
    all += 5;
    return ran;
}

int byPointer() {
    ran = 0;
    pointer<<<1, 1>>>(1);  // byPointer
    return ran;
}
int byHelper() {
    ran = 0;
    launch(plain, 1);
    return ran;
}
int byCall() {
    ran = 0;
    int one = 1;
    void* arguments[] = {&one};
    cudaLaunchKernel(plain, 1, 1, arguments);
    return ran;
}

}  // namespace declared
