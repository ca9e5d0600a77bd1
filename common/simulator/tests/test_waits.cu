// Tests the report of a host that uses managed or pinned memory before it has waited for the
// device, and that there is none after any way of waiting.
#include <thread>
#include <vector>

#include "tolerant.h"
#include "waiting.h"

namespace {

__global__ void fill(int* y, int from, int to, int value) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (from <= i && i < to) y[i] = value;
}

__global__ void fillBytes(char* y, int apart) { y[threadIdx.x * apart] = 1; }
__global__ void agree(int* y) { y[threadIdx.x] = 1; }  // agree

__managed__ int counted[2];
__global__ void count(int i) { ++counted[i]; }
__constant__ int constant;

void launch(int* y, cudaStream_t stream = nullptr, int from = 0, int to = kCount) {
    fill<<<(kCount + 255) / 256, 256, 0, stream>>>(y, from, to, 7);  // launch
}

const char* const kEarly = "missing-wait: early, launch\n";

}  // namespace

TOLERANT_TEST("the host reads after a launch without a wait, once for each") {
    int* const y = managed();
    launch(y);
    int sum = 0;
    for (int i = 0; i < kCount; ++i) sum += y[i];  // early
    CHECK(sum == 7 * kCount);
    CHECK(all() == kEarly);
    const cusim::Finding one = cusim::findings()[0];
    CHECK(one.title == "the host uses y, which kernel fill may still write");
    CHECK(holds(one.remedy, "cudaDeviceSynchronize() before this line"));
    CHECK(holds(one.details[0], "kernel fill begins at "));
    launch(y);
    y[kCount - 1] = 1;  // early
    CHECK(all() == std::string(kEarly) + kEarly);
}

TOLERANT_TEST("a function of the C library reads or writes after a launch") {
    int* const y = managed();
    std::vector<int> copy(kCount);
    launch(y);
    std::memcpy(copy.data(), y, kCount * sizeof *y);  // early
    CHECK(copy[kCount / 2] == 7);
    CHECK(all() == kEarly);
    launch(y);
    std::memset(y, 0, kCount * sizeof *y);  // early
    CHECK(y[5] == 0);
    CHECK(all() == std::string(kEarly) + kEarly);
}

TOLERANT_TEST("another host thread reads after a launch") {
    int* const y = managed();
    launch(y);
    int first = 0;
    std::thread([&] { first = y[0]; }).join();  // early
    CHECK(first == 7);
    CHECK(all() == kEarly);
}

TOLERANT_TEST("registered memory is pinned: the host waits for copies between it and the device") {
    static int h[kCount];
    cudaHostRegister(h, sizeof h, cudaHostRegisterDefault);
    const OnDevice<int> y(kCount, 7);
    cudaMemcpyAsync(h, y, sizeof h, cudaMemcpyDeviceToHost);  // launch
    int read = h[5];                                          // early
    CHECK(all() == kEarly);
    CHECK(cusim::findings()[0].title ==
          "the host uses registered memory, which cudaMemcpyAsync may still write");
    cudaMemcpyAsync(y, h, sizeof h, cudaMemcpyHostToDevice);  // launch
    read += h[6];                                             // only read there, too
    h[kCount - 1] = 8;                                        // early
    CHECK(all() == std::string(kEarly) + kEarly);
    cudaMemcpyAsync(h, y, sizeof h / 2, cudaMemcpyDeviceToHost);
    read += h[kCount - 1];  // not among them
    cudaDeviceSynchronize();
    CHECK(read + h[0] == 29);
    CHECK(all() == std::string(kEarly) + kEarly);
    cudaHostUnregister(h);
}

TOLERANT_TEST("each way to wait is one") {
    using Wait = void (*)(int* y, const Streams& of);
    const Wait waits[] = {
        [](int*, const Streams&) { cudaDeviceSynchronize(); },
        [](int*, const Streams& of) { cudaStreamSynchronize(of.a); },
        [](int*, const Streams& of) {
            while (cudaStreamQuery(of.a) == cudaErrorNotReady) {
            }
        },
        [](int*, const Streams& of) {
            cudaEventRecord(of.event, of.a);
            cudaEventSynchronize(of.event);
        },
        [](int*, const Streams& of) {
            cudaEventRecord(of.event, of.a);
            while (cudaEventQuery(of.event) != cudaSuccess) {
            }
        },
        [](int*, const Streams& of) {
            cudaEventRecord(of.event, of.a);
            cudaStreamWaitEvent(of.b, of.event);
            cudaStreamSynchronize(of.b);
        },
        [](int* y, const Streams&) {
            int first = 0;
            cudaMemcpy(&first, y, sizeof first, cudaMemcpyDefault);
        },
        [](int*, const Streams&) { cudaMemcpyToSymbol(constant, &kCount, sizeof kCount); },
        [](int*, const Streams&) {
            int value = 0;
            cudaMemcpyFromSymbol(&value, constant, sizeof value);
        },
        [](int*, const Streams&) { cudaStreamSynchronize(nullptr); },
        [](int* y, const Streams& of) {
            launch(y, nullptr, 0, 0);
            launch(y, of.b, 0, 0);
            cudaStreamSynchronize(of.b);
        },
        [](int*, const Streams&) {
            int* d = nullptr;
            cudaMalloc(&d, 4);
            cudaFree(d);
        },
        [](int*, const Streams&) { std::thread([] { cudaDeviceSynchronize(); }).join(); },
    };
    for (const Wait wait : waits) {
        INFO(&wait - waits);
        cusim::reset();
        int* const y = managed();
        const Streams of;
        launch(y, of.a);
        cudaMemPrefetchAsync(y, kCount * sizeof *y, cudaCpuDeviceId, of.a);
        wait(y, of);
        CHECK(y[kCount - 1] == 7);
        CHECK(all().empty());
    }
}

TOLERANT_TEST("a wait for something else is none") {
    using Wait = void (*)(int* y, const Streams& of);
    const Wait waits[] = {
        [](int*, const Streams& of) { cudaStreamSynchronize(of.b); },
        [](int*, const Streams&) { cudaMemcpyToSymbol(constant, &kCount, sizeof kCount); },
        [](int*, const Streams&) {
            int value = 0;
            cudaMemcpyFromSymbol(&value, constant, sizeof value);
        },
        [](int*, const Streams&) { cudaStreamSynchronize(nullptr); },
        [](int*, const Streams& of) {
            cudaEventRecord(of.event, of.b);
            cudaEventSynchronize(of.event);
        },
        [](int*, const Streams& of) { cudaEventRecord(of.event, of.a); },
        [](int*, const Streams& of) { cudaEventSynchronize(of.event); },
        [](int* y, const Streams& of) { cudaMemPrefetchAsync(y, 4, cudaCpuDeviceId, of.a); },
        [](int*, const Streams& of) { cudaStreamDestroy(of.a); },
        [](int*, const Streams& of) { CHECK(cudaStreamQuery(of.a) == cudaErrorNotReady); },
        [](int*, const Streams& of) {
            cudaEventRecord(of.event, of.a);
            CHECK(cudaEventQuery(of.event) == cudaErrorNotReady);
            CHECK(cudaGetLastError() == cudaSuccess);
        },
        [](int*, const Streams& of) { CHECK(cudaStreamQuery(of.b) == cudaSuccess); },
        [](int*, const Streams& of) {
            cudaStreamAddCallback(
                of.a, [](cudaStream_t, cudaError_t, void*) {}, nullptr, 0);
        },
    };
    for (const Wait wait : waits) {
        INFO(&wait - waits);
        cusim::reset();
        int* const y = managed();
        const Streams of(cudaStreamNonBlocking);
        launch(y, of.a);
        wait(y, of);
        const int last = y[kCount - 1];  // early
        CHECK(last == 7);
        CHECK(all() == kEarly);
    }
}

TOLERANT_TEST("a slice that the host has waited for may be used beside others") {
    int* const y = managed();
    const Streams of;
    for (const int border : {1000, 1024, 2048, 1}) {
        launch(y, of.a, 0, border);
        launch(y, of.b, border, kCount);
        cudaStreamSynchronize(of.a);
        for (int i = 0; i < border; ++i) y[i] += 1;
        CHECK(y[border - 1] == 8);
        CHECK(all().empty());
    }
    launch(y, of.a, 0, 1024);
    launch(y, of.b, 1024, kCount);
    cudaStreamSynchronize(of.a);
    y[0] += y[1024];  // early
    CHECK(all() == kEarly);
}

TOLERANT_TEST("memory that no kernel has stored stays open") {
    int* const y = managed();
    int* const other = managed();
    launch(y, nullptr, 0, 3);
    other[5] = 3;
    y[3] = 1;
    cudaDeviceSynchronize();
    int* d = nullptr;
    cudaMalloc(&d, kCount * sizeof *d);
    launch(d);
    cudaMemcpy(y, d, kCount * sizeof *y, cudaMemcpyDeviceToDevice);
    launch(y, nullptr, 0, 1024);
    CHECK(y[1024] == 7);
    CHECK(all().empty());
}

TOLERANT_TEST("bytes are told apart, also on a page at the edge of what is pending") {
    char *bytes = nullptr, first[2] = {};
    cudaMallocManaged(&bytes, 3 * 4096);
    const Streams of;
    fillBytes<<<1, 1024, 0, of.b>>>(bytes, 12);  // launch
    const int sum = bytes[1] + bytes[4799] + bytes[4801] + bytes[4802] + bytes[4803];
    std::snprintf(first, sizeof first, "%.1s", bytes);  // is not heard, and the page is open
    CHECK(sum + first[0] != 0);
    CHECK(all().empty());
    for (const int early : {0, 4800}) {
        cusim::reset();
        cudaMallocManaged(&bytes, 3 * 4096);
        fillBytes<<<1, 1024, 0, of.b>>>(bytes, 12);  // launch
        bytes[early] = 1;                            // early
        CHECK(all() == kEarly);
    }
}

TOLERANT_TEST("a page that the works of several calls fill is closed, where all of them write it") {
    const OnDevice<char> d(1000, 'd');
    char *h = nullptr, last[2] = {};
    cudaMallocHost(&h, 1000);
    for (const int half : {0, 500})
        cudaMemcpyAsync(h + half, d + half, 500, cudaMemcpyDeviceToHost);  // copy
    std::snprintf(last, sizeof last, "%.1s", h + 999);                     // early
    CHECK(last[0] == 'd');
    CHECK(all() == "missing-wait: early, copy\n");
    cudaMemcpyAsync(h, d, 500, cudaMemcpyDeviceToHost);
    cudaMemcpyAsync(d + 500, h + 500, 500, cudaMemcpyHostToDevice);
    std::snprintf(last, sizeof last, "%.1s", h + 999);
    CHECK(all() == "missing-wait: early, copy\n");
}

TOLERANT_TEST("what a kernel stores that runs a second time for its races is stored once") {
    int* const y = managed();
    agree<<<2, 32>>>(y);
    cudaDeviceSynchronize();
    launch(y, nullptr, 32, 64);
    CHECK(y[0] == 1);
    cudaDeviceSynchronize();
    CHECK(told() == "formal-race: agree (remark)\n");
}

TOLERANT_TEST("a managed variable is used after a wait") {
    count<<<1, 1>>>(0);  // launch
    cudaDeviceSynchronize();
    int seen = counted[0];
    count<<<1, 1>>>(1);  // launch
    seen += counted[0];
    while (*const_cast<volatile int*>(&counted[1]) != 1) {
    }
    seen += counted[1];
    CHECK(seen == 3);
    CHECK(all().empty());
    count<<<1, 1>>>(1);  // launch
    seen = counted[1];   // early
    CHECK(seen == 2);
    CHECK(all() == kEarly);
    CHECK(cusim::findings()[0].title ==
          "the host uses counted, which kernel count may still write");
    counted[0] = counted[1] = 0;
}

TOLERANT_TEST("a host that looks for a value waits in its own way") {
    int* const y = managed();
    launch(y);
    while (*static_cast<volatile int*>(y) != 7) {
    }
    CHECK(y[1] == 7);
    CHECK(all().empty());
}

TOLERANT_TEST("a stream is ready at once after a wait, and again after it has been asked") {
    int* const y = managed();
    const Streams of;
    for (int turn = 0; turn < 2; ++turn) {
        launch(y, of.a);
        CHECK(cudaStreamQuery(of.a) == cudaErrorNotReady);
        cudaDeviceSynchronize();
        CHECK(cudaStreamQuery(of.a) == cudaSuccess);
        launch(y, of.a);
        for (int i = 0; i < 2; ++i) CHECK(cudaStreamQuery(of.a) == cudaErrorNotReady);
        CHECK(cudaStreamQuery(of.a) == cudaSuccess);
        CHECK(cudaStreamQuery(of.a) == cudaSuccess);
        CHECK(cudaStreamQuery(nullptr) == cudaSuccess);
    }
}

TOLERANT_TEST("the time between two events is not there before the host has waited for both") {
    const Streams of;
    cudaEvent_t start = nullptr;
    cudaEventCreate(&start);
    const auto record = [&] {
        cudaEventRecord(start, of.a);
        launch(managed(), of.a);
        cudaEventRecord(of.event, of.a);
    };
    float ms = -1;
    for (int turn = 0; turn < 2; ++turn) {
        record();
        CHECK(cudaEventElapsedTime(&ms, start, of.event) == cudaErrorNotReady);  // asked
        CHECK(cudaGetLastError() == cudaSuccess);
        CHECK(ms == -1);
    }
    CHECK(told() == "missing-wait: asked\n");
    while (cudaEventElapsedTime(&ms, start, of.event) == cudaErrorNotReady) {
    }
    CHECK(ms >= 0);
    record();
    cudaDeviceSynchronize();
    CHECK(cudaEventElapsedTime(&ms, start, of.event) == cudaSuccess);
    cudaEventDestroy(of.event);
    CHECK(all() == "missing-wait: asked\n");
    cudaEventDestroy(start);
}

TOLERANT_TEST("what the host asks about first stays not ready as often as the test wants") {
    const Streams of;
    cusim::options().unreadyAnswers = 500;
    for (const int wanted : {500, 2}) {
        launch(managed(), of.a);
        int times = 0;
        while (cudaStreamQuery(of.a) == cudaErrorNotReady) ++times;
        CHECK(times == wanted);
    }
    cusim::options().unreadyAnswers = 2;
}
