// Tests atomics as objects, and those of a scope.
#include <cuda/atomic>
#include <cuda/std/type_traits>
#include <vector>

#include "chosen_options.h"
#include "on_device.h"

namespace {

static_assert(cuda::std::is_same_v<cuda::std::int32_t, int>);

__device__ cuda::atomic<int, cuda::thread_scope_device> total;

__global__ void totalKernel(int* y) {
    y[threadIdx.x] = total.fetch_add(2);
    total += 1;
    ++total;
}

__global__ void refsKernel(int* i, float* f, unsigned long long* w, int* y) {
    cuda::atomic_ref<int, cuda::thread_scope_block> count(i[0]), most(i[1]);
    count.fetch_add(1, cuda::memory_order_relaxed);
    most.fetch_max(threadIdx.x);
    cuda::atomic_ref<float>(*f).fetch_add(0.5f);
    cuda::atomic_ref<unsigned long long> bits(*w);
    unsigned long long seen = bits.load(), wanted;
    do wanted = seen | 1ull << threadIdx.x;
    while (!bits.compare_exchange_weak(seen, wanted));
    if (threadIdx.x == 0) cuda::atomic_ref<int>(i[2]).store(9, cuda::memory_order_release);
    y[threadIdx.x] = cuda::atomic_ref<int>(i[3]).exchange(threadIdx.x) >= 0;
}

__global__ void scopesKernel(int* i, long long* w, unsigned short* s) {
    if (blockIdx.x == 0) atomicAdd_block(&i[0], 1);
    atomicAdd_system(&i[1], 2);
    atomicMax_system(w, static_cast<long long>(threadIdx.x));
    unsigned short seen = atomicCAS(s, 0, 1);
    if (seen == 0) atomicCAS_block(&i[2], 0, 7);
}

__global__ void narrowKernel(int* i, int other) {
    if (blockIdx.x == 0 || other == 1) atomicAdd_block(i, 1);
    if (blockIdx.x > 0 && other == 2) atomicAdd(i, 1);
    if (other == 3) cuda::atomic_ref<int, cuda::thread_scope_block>(i[1]).fetch_add(1);
    if (other == 4 && cuda::atomic_ref<int, cuda::thread_scope_block>(i[1]).load() == 7) i[1] = 8;
}

__global__ void plainBesideKernel(int* i) {
    cuda::atomic_ref<int>(*i).fetch_add(1);
    if (threadIdx.x == 40) i[0] = 5;
}

using Ints = std::vector<int>;

}  // namespace

DEVICE_TEST("an atomic object of the device counts what all threads add") {
    resultOf(totalKernel, 64, 1, 64);
    int sum = 0;
    cudaMemcpyFromSymbol(&sum, total, sizeof sum);
    CHECK(sum == 4 * 64);
    checkNothingFound();
}

DEVICE_TEST("references make atomics of plain memory") {
    const OnDevice<int> i(4, 0), y(64, 0);
    const OnDevice<float> f(1, 0.0f);
    const OnDevice<unsigned long long> w(1, 0ull);
    refsKernel<<<1, 64>>>(i, f, w, y);
    const Ints got = i.host();
    CHECK(got[0] == 64);
    CHECK(got[1] == 63);
    CHECK(got[2] == 9);
    CHECK(f.host()[0] == 32.0f);
    CHECK(w.host()[0] == ~0ull);
    CHECK(y.host() == Ints(64, 1));
    CHECK(onlyLaunch().global().atomics > 0);
}

DEVICE_TEST("atomics of a block and of the system work as those of the device") {
    const OnDevice<int> i(3, 0);
    const OnDevice<long long> w(1, -1ll);
    const OnDevice<unsigned short> s(2, static_cast<unsigned short>(0));
    scopesKernel<<<2, 32>>>(i, w, s);
    CHECK(i.host() == Ints{32, 128, 7});
    CHECK(w.host()[0] == 31);
    CHECK(s.host()[0] == 1);
    checkNothingFound();
}

DEVICE_TEST("a plain store beside an atomic is a race") {
    const OnDevice<int> i(1, 0);
    plainBesideKernel<<<1, 64>>>(i);
    CHECK(onlyFinding().kind == "race");
}

DEVICE_TEST("an atomic of a block is a race beside an atomic of another block") {
    for (const int other : {0, 1, 2, 3, 4}) {
        INFO(other);
        cusim::reset();
        const OnDevice<int> i(2, 0);
        narrowKernel<<<2, 32>>>(i, other);
        if (other % 4 == 0) {
            checkNothingFound();
            continue;
        }
        CHECK(onlyFinding().kind == "race");
        CHECK(onlyFinding().remedy.find("without _block") != std::string::npos);
    }
}
