// Tests that two works which use the same bytes are reported if nothing orders them.
#include <vector>

#include "waiting.h"

namespace {

constexpr std::size_t kBytes = kCount * sizeof(int);

__constant__ int constant;

__global__ void fill(int* y, int from, int to) {
    for (int i = from + threadIdx.x; i < to; i += blockDim.x) y[i] = 7;
}
__global__ void sum(const int* y, int from, int to, int* result) {
    int all = 0;
    for (int i = from; i < to; ++i) all += y[i];
    *result = all;
}
__global__ void count(int* y) { atomicAdd(y, 1); }
__global__ void look(const volatile int* y, int* result) { *result = *y; }
__global__ void readConstant(int* y) { y[0] = constant; }

// What a test has to work with: device memory x and y, and streams.
struct Memory {
    explicit Memory(unsigned flags) : streams(flags), a(streams.a), b(streams.b) {
        cudaMallocHost(&h, kBytes);
        cudaDeviceSynchronize();
    }
    OnDevice<int> x{kCount, 1}, y{kCount, 1}, result{1, 0};
    int* h = nullptr;
    Streams streams;
    cudaStream_t a, b;

    void record(cudaStream_t stream) const { cudaEventRecord(streams.event, stream); }
    void waitIn(cudaStream_t stream) const { cudaStreamWaitEvent(stream, streams.event); }
};
using Step = void (*)(Memory& of);

void first(Memory& of) {
    fill<<<1, 64, 0, of.a>>>(of.x, 0, kCount);  // first
}
void second(Memory& of) {
    sum<<<1, 1, 0, of.b>>>(of.x, 0, kCount, of.result);  // second
}

const char* const kRace = "stream-race: second, first\n";

}  // namespace

TOLERANT_TEST("two works are in order where a stream, an event or the host orders them") {
    const Step orders[] = {
        [](Memory& of) { of.b = of.a; },
        [](Memory& of) { of.record(of.a), of.waitIn(of.b); },
        [](Memory& of) { of.record(nullptr), of.waitIn(of.b); },
        [](Memory& of) {
            of.record(of.a);
            of.waitIn(nullptr);
            of.b = nullptr;
        },
        [](Memory& of) { cudaStreamSynchronize(of.a); },
        [](Memory& of) {
            while (cudaStreamQuery(of.a) == cudaErrorNotReady) {
            }
        },
        [](Memory& of) { of.record(of.a), cudaEventSynchronize(of.streams.event); },
        [](Memory&) { cudaDeviceSynchronize(); },
        [](Memory&) {
            int* d = nullptr;
            cudaMalloc(&d, 4);
            cudaFree(d);
        },
        [](Memory& of) { of.b = nullptr; },  // the default stream waits for those that block
        [](Memory& of) { fill<<<1, 1>>>(of.y, 0, 1); },
        [](Memory& of) {
            int one = 0;
            cudaMemcpy(&one, of.y, sizeof one, cudaMemcpyDeviceToHost);
        },
    };
    for (const Step& order : orders) {
        INFO(&order - orders);
        cusim::reset();
        Memory of(cudaStreamDefault);
        first(of);
        order(of);
        second(of);
        CHECK(all().empty());
    }
}

TOLERANT_TEST("two works are in no order where nothing orders them, or something else is ordered") {
    const Step orders[] = {
        [](Memory&) {},
        [](Memory& of) { of.record(of.b), of.waitIn(of.b); },
        [](Memory& of) { of.record(of.a), of.waitIn(of.a); },
        [](Memory& of) { of.record(of.b), of.waitIn(of.a); },
        [](Memory& of) { of.waitIn(of.b); },
        [](Memory& of) { cudaStreamSynchronize(of.b); },
        [](Memory& of) { of.record(of.b), cudaEventSynchronize(of.streams.event); },
        [](Memory& of) { of.b = nullptr; },
        [](Memory& of) { fill<<<1, 1>>>(of.y, 0, 1); },
        [](Memory& of) { of.record(nullptr), of.waitIn(of.b); },
    };
    for (const Step& order : orders) {
        INFO(&order - orders);
        cusim::reset();
        Memory of(cudaStreamNonBlocking);
        first(of);
        order(of);
        second(of);
        CHECK(all().find(kRace) != std::string::npos);
    }
}

TOLERANT_TEST("an event stands for what was in its stream when it was recorded") {
    Memory of(cudaStreamDefault);
    of.record(of.a);
    first(of);
    of.waitIn(of.b);
    second(of);
    CHECK(all() == kRace);
    const cusim::Finding finding = onlyFinding();
    CHECK(finding.title == "kernel sum reads data_, which kernel fill may still write");
}

TOLERANT_TEST("copies, fills and kernels of any two streams are judged") {
    const Step works[] = {
        [](Memory& of) { fill<<<1, 64, 0, of.b>>>(of.x, 9, 10); },                     // second
        [](Memory& of) { cudaMemsetAsync(of.x, 0, 40, of.b); },                        // second
        [](Memory& of) { cudaMemcpyAsync(of.x, of.h, 40, cudaMemcpyDefault, of.b); },  // second
        [](Memory& of) { cudaMemcpyAsync(of.h, of.x, 40, cudaMemcpyDefault, of.b); },  // second
        [](Memory& of) { cudaMemcpyAsync(of.y, of.x, 40, cudaMemcpyDefault, of.b); },  // second
        [](Memory& of) { cudaMemcpy(of.h, of.x, 40, cudaMemcpyDefault); },             // second
        [](Memory& of) { cudaMemset(of.x, 0, 40); },                                   // second
        [](Memory& of) { count<<<1, 1, 0, of.b>>>(of.x); },                            // second
        [](Memory& of) { cudaMemset2DAsync(of.x, 100, 0, 4, 30, of.b); },              // second
    };
    for (const Step& work : works) {
        INFO(&work - works);
        cusim::reset();
        Memory of(cudaStreamNonBlocking);
        first(of);
        work(of);
        CHECK(all() == kRace);
    }
}

TOLERANT_TEST("memory of a stream is used in another one after an event, or after a wait") {
    const Step orders[] = {
        [](Memory&) {},
        [](Memory& of) { of.record(of.a), of.waitIn(of.b); },
        [](Memory& of) { cudaStreamSynchronize(of.a); },
        [](Memory& of) { of.b = of.a; },
    };
    for (const bool frees : {false, true})
        for (const Step& order : orders) {
            INFO(&order - orders << (frees ? ", freed" : ""));
            cusim::reset();
            Memory of(cudaStreamNonBlocking);
            int* y = nullptr;
            if (frees) {
                cudaMalloc(&y, kBytes);
                fill<<<1, 1, 0, of.a>>>(y, 0, 3);  // filled
                order(of);
                cudaFreeAsync(y, of.b);  // freed
            } else {
                cudaMallocAsync(&y, kBytes, of.a);  // made
                order(of);
                fill<<<1, 1, 0, of.b>>>(y, 0, 3);  // used
                cudaFreeAsync(y, of.b);
            }
            const bool none = &order == orders;
            CHECK(all() == (!none   ? ""
                            : frees ? "stream-race: freed, filled\n"
                                    : "stream-race: used, made\n"));
            if (none)
                CHECK(onlyFinding().title ==
                      (frees ? "cudaFreeAsync frees y, which kernel fill may still write"
                             : "kernel fill writes y, which cudaMallocAsync may not have allocated "
                               "yet"));
        }
}

TOLERANT_TEST("two streams may read the same bytes, use others, or update them by atomics") {
    const Step works[] = {
        [](Memory& of) {
            for (const cudaStream_t stream : {of.a, of.b})
                sum<<<1, 1, 0, stream>>>(of.x, 0, kCount, stream == of.a ? +of.result : +of.y);
        },
        [](Memory& of) {
            fill<<<1, 64, 0, of.a>>>(of.x, 0, 1501);
            fill<<<1, 64, 0, of.b>>>(of.x, 1501, kCount);
        },
        [](Memory& of) {
            fill<<<1, 64, 0, of.a>>>(of.x, 0, 1501);
            sum<<<1, 1, 0, of.b>>>(of.x, 1501, kCount, of.result);
        },
        [](Memory& of) { count<<<1, 9, 0, of.a>>>(of.x), count<<<1, 9, 0, of.b>>>(of.x); },
        [](Memory& of) {
            fill<<<1, 9, 0, of.a>>>(of.x, 0, 9), look<<<1, 1, 0, of.b>>>(of.x, of.y);
        },
        [](Memory& of) {  // columns of one matrix
            cudaMemcpy2DAsync(of.x, 100, of.h, 100, 48, 30, cudaMemcpyHostToDevice, of.a);
            cudaMemset2DAsync(of.x + 12, 100, 0, 52, 30, of.b);
        },
        [](Memory& of) {
            cudaMemcpyToSymbolAsync(constant, &kCount, 4, 0, cudaMemcpyHostToDevice, of.a);
            readConstant<<<1, 1, 0, of.a>>>(of.y);
            cudaMemcpyToSymbolAsync(constant, &kCount, 4, 0, cudaMemcpyHostToDevice, of.a);
        },
    };
    for (const Step& work : works) {
        INFO(&work - works);
        cusim::reset();
        Memory of(cudaStreamNonBlocking);
        work(of);
        CHECK(all().empty());
    }
}

TOLERANT_TEST("what is missing between two streams is reported once for each pair of lines") {
    Memory of(cudaStreamNonBlocking);
    for (int turn = 0; turn < 3; ++turn) {
        first(of);
        second(of);
        cudaDeviceSynchronize();
    }
    CHECK(all() == kRace);
    cusim::reset();
    Memory other(cudaStreamNonBlocking);
    cudaMemcpyAsync(other.x, other.h, kBytes, cudaMemcpyHostToDevice, other.a);  // first
    cudaMemcpyAsync(other.y, other.h, kBytes, cudaMemcpyHostToDevice, other.a);
    sum<<<1, 1, 0, other.b>>>(other.x, 0, kCount, other.y);  // second
    CHECK(all() == kRace);
}

TOLERANT_TEST("many launches of two streams that take turns leave nothing to judge again") {
    Memory of(cudaStreamNonBlocking);
    for (int turn = 0; turn < 2000; ++turn) {
        const bool even = turn % 2 == 0;
        fill<<<1, 1, 0, even ? of.a : of.b>>>(of.x, 0, 3);
        of.record(even ? of.a : of.b);
        of.waitIn(even ? of.b : of.a);
    }
    CHECK(all().empty());
}

TOLERANT_TEST("a launch before any stream was made is in order with those of blocking streams") {
    for (const unsigned flags : {cudaStreamDefault, cudaStreamNonBlocking}) {
        cusim::reset();
        const OnDevice<int> x(kCount, 1);
        fill<<<1, 1>>>(x, 0, 3);  // first
        const Streams of(flags);
        fill<<<1, 1, 0, of.a>>>(x, 0, 3);  // second
        CHECK(all() == (flags == cudaStreamDefault ? "" : kRace));
    }
}
