// Tests functions that a stream calls on the host: they begin after the work before them, and the
// host can wait for them.
#include <semaphore.h>

#include <atomic>
#include <future>
#include <mutex>

#include "tolerant.h"
#include "waiting.h"

namespace {

__global__ void fill(int* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kCount) y[i] = 7;
}

void launch(int* y, cudaStream_t stream) {
    fill<<<(kCount + 255) / 256, 256, 0, stream>>>(y);  // launch
}

// Waits for a function of the stream by a flag that it sets.
void poll(cudaStream_t stream) {
    std::atomic<bool> done{false};
    const auto set = [](void* data) { *static_cast<std::atomic<bool>*>(data) = true; };
    cudaLaunchHostFunc(stream, set, &done);
    while (!done) {
    }
}

const char* const kEarly = "missing-wait: early, launch\n";

}  // namespace

TOLERANT_TEST("a poll, a lock, a semaphore and a future wait for a function of a stream") {
    using Wait = void (*)(const Streams& of);
    const Wait waits[] = {
        [](const Streams& of) {
            static std::mutex mutex;
            cudaLaunchHostFunc(
                of.a, [](void*) { const std::lock_guard<std::mutex> guard(mutex); }, nullptr);
            const std::lock_guard<std::mutex> guard(mutex);
        },
        [](const Streams& of) { poll(of.a); },
        [](const Streams& of) {
            sem_t given;
            sem_init(&given, 0, 0);
            cudaLaunchHostFunc(
                of.a, [](void* semaphore) { sem_post(static_cast<sem_t*>(semaphore)); }, &given);
            sem_wait(&given);
        },
        [](const Streams& of) {
            std::promise<void> given;
            cudaLaunchHostFunc(
                of.a, [](void* promise) { static_cast<std::promise<void>*>(promise)->set_value(); },
                &given);
            given.get_future().wait();
        },
    };
    for (const Wait wait : waits) {
        INFO(&wait - waits);
        cusim::reset();
        int* const y = managed();
        const Streams of;
        launch(y, of.a);
        wait(of);
        CHECK(y[kCount - 1] == 7);
        CHECK(all().empty());
    }
}

TOLERANT_TEST("a poll for a function of another stream is no wait") {
    int* const y = managed();
    const Streams of(cudaStreamNonBlocking);
    launch(y, of.a);
    poll(of.b);
    const int last = y[kCount - 1];  // early
    CHECK(last == 7);
    CHECK(all() == kEarly);
}

TOLERANT_TEST("a function that a stream calls on the host may call no CUDA function") {
    cudaError_t error = cudaSuccess;
    cudaLaunchHostFunc(
        nullptr,
        [](void* data) { *static_cast<cudaError_t*>(data) = cudaStreamSynchronize(nullptr); },
        &error);
    CHECK(error == cudaErrorNotPermitted);
    CHECK(cudaStreamSynchronize(nullptr) == cudaSuccess);
}

TOLERANT_TEST("a function of a stream begins after the work before it in this stream") {
    int* const y = managed();
    const Streams of;
    const auto add = [](void* data) {
        int* const numbers = static_cast<int*>(data);
        numbers[1] += numbers[0];  // early
    };
    launch(y, of.a);
    cudaLaunchHostFunc(of.a, add, y);
    CHECK(all().empty());
    launch(y, of.a);
    cudaLaunchHostFunc(of.b, add, y);
    CHECK(all() == kEarly);
}
