// Tests of Options::tolerant: what a volatile access is beside an atomic one.
#include "findings_text.h"
#include "on_device.h"
#include "tolerant.h"

namespace {

// One thread counts, the other one looks.
enum class Look { Volatile, VolatileStore, Plain, PlainStore, Narrow, Half, AtMore };
__global__ void count(int* n, int* y, Look look) {
    if (threadIdx.x + blockIdx.x == 0) {
        *y = 1;  // message
        if (look == Look::Narrow)
            atomicAdd_block(n, 1);  // count
        else if (look == Look::Half)
            atomicAdd(reinterpret_cast<unsigned long long*>(n), 1ull);  // count
        else
            atomicAdd(n, 1);  // count
    } else if (look == Look::Plain) {
        y[1] = *n;  // look
    } else if (look == Look::PlainStore) {
        *n = 3;  // look
    } else if (look == Look::VolatileStore) {
        *static_cast<volatile int*>(n) = 3;  // look
    } else {
        y[1] = *static_cast<volatile int*>(n);  // look
        if (look == Look::AtMore) y[2] = *y;    // answer
    }
}
// Volatile accesses alone order nothing in a warp.
__global__ void sumOfWarp(int* y) {
    __shared__ volatile int s[32];
    s[threadIdx.x] = 1;
    __syncwarp();
    if (threadIdx.x < 16) s[threadIdx.x] += s[threadIdx.x + 8];  // sum
    __syncwarp();
    y[threadIdx.x] = s[threadIdx.x];
}

}  // namespace

TOLERANT_TEST("A volatile access races with no atomic one of the same bytes, and orders nothing") {
    const auto run = [](Look look, int blocks) {
        cusim::reset();
        count<<<blocks, 2 / blocks>>>(OnDevice<int>(2, 0), OnDevice<int>(3, 0), look);
        return told();
    };
    for (const int blocks : {1, 2}) {
        CHECK(run(Look::Volatile, blocks).empty());
        CHECK(run(Look::VolatileStore, blocks).empty());
        CHECK(run(Look::Plain, blocks) == "race: count, look\n");
        CHECK(holds(cusim::findings()[0].remedy, "read it as volatile"));
        CHECK(holds(cusim::findings()[0].remedy, blocks == 1 ? "__syncthreads()" : "split"));
        CHECK(run(Look::PlainStore, blocks) == "race: count, look\n");
        CHECK(holds(run(Look::Half, blocks), "race: count, look"));
        CHECK(holds(run(Look::AtMore, blocks), "race: message, answer"));
    }
    CHECK(run(Look::Narrow, 1).empty());
    CHECK(holds(run(Look::Narrow, 2), "race: count, look"));
}

TOLERANT_TEST("Volatile accesses of a warp race without a barrier") {
    sumOfWarp<<<1, 32>>>(OnDevice<int>(32));
    CHECK(told() == "race: sum\n");
    CHECK(holds(cusim::findings()[0].remedy, "__syncwarp() after each read and each write"));
}
