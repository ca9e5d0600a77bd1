// Tests the order in which threads run and print, how a schedule changes it, and what barriers
// order.
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include "chosen_options.h"
#include "kernels_races.h"
#include "on_device.h"

namespace {

__global__ void say() {
    printf("block %d thread %d of %s\n", blockIdx.x, threadIdx.x, "say");
    __syncthreads();
    printf("again %u.%u %.1f%%\n", blockIdx.x, threadIdx.x, 12.5);
}

__global__ void sayAndFail() {
    printf("block %d\n", blockIdx.x);
    assert(blockIdx.x != 1);
}

__global__ void race(int* y) { *y = blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void queue(int* next, int* order) {
    order[atomicAdd(next, 1)] = blockIdx.x * blockDim.x + threadIdx.x;
}

using Ints = std::vector<int>;

// Returns what is printed to stdout, up to 4096 bytes.
template <class Run>
std::string printedBy(Run run) {
    std::fflush(stdout);
    const int before = dup(STDOUT_FILENO);
    std::FILE* const file = std::tmpfile();
    dup2(fileno(file), STDOUT_FILENO);
    run();
    std::fflush(stdout);
    dup2(before, STDOUT_FILENO);
    close(before);
    std::string text(4096, '\0');
    std::rewind(file);
    text.resize(std::fread(text.data(), 1, text.size(), file));
    std::fclose(file);
    return text;
}

Ints arrivals(int threads, int blocks) {
    const OnDevice<int> next(1, 0), order(threads * blocks);
    queue<<<blocks, threads>>>(next, order);
    return order.host();
}

// Returns 0, 1, 2 and so on.
Ints counted(std::size_t count) {
    Ints values(count);
    std::iota(values.begin(), values.end(), 0);
    return values;
}

}  // namespace

TEST_CASE("What kernels print appears by block, before the host goes on") {
    std::string expected;
    for (int b = 0; b < 12; ++b) {
        const std::string block = std::to_string(b);
        expected += "block " + block + " thread 0 of say\nblock " + block + " thread 1 of say\n" +
                    "again " + block + ".0 12.5%\nagain " + block + ".1 12.5%\n";
    }
    expected += "host\n";
    for (const int workers : {1, 2, 5}) {
        const ChosenOptions chosen(workers);
        const std::string text = printedBy([] {
            say<<<12, 2>>>();
            cudaDeviceSynchronize();
            printf("host\n");
        });
        INFO(workers << " workers");
        CHECK(text == expected);
        checkNothingFound();
    }
}

TEST_CASE("What a kernel printed before it failed is shown") {
    for (const int workers : {1, 2, 5}) {
        const ChosenOptions chosen(workers);
        const std::string text = printedBy([] {
            sayAndFail<<<3, 1>>>();
            cudaDeviceSynchronize();
        });
        CHECK(text.substr(0, 16) == "block 0\nblock 1\n");
        CHECK(onlyFinding().kind == "assert");
    }
}

TEST_CASE("The schedule changes the result of a race") {
    const ChosenOptions chosen(1);
    CHECK(resultOf(race, 1, 4, 32)[0] == 127);
    cusim::options().schedule = "reverse";
    CHECK(resultOf(race, 1, 4, 32)[0] == 0);
}

DEVICE_TEST("The blocks of a small launch come in their order, whatever they do to one another") {
    for (int run = 0; run < 20; ++run) CHECK(arrivals(64, 16) == counted(64 * 16));
}

TEST_CASE("A schedule is the same on every run") {
    const ChosenOptions chosen(1);
    const Ints forward = counted(128);
    CHECK(arrivals(32, 4) == forward);
    const Ints backward(forward.rbegin(), forward.rend());
    cusim::options().schedule = "reverse";
    CHECK(arrivals(32, 4) == backward);

    cusim::options().schedule = "random:1";
    const Ints one = arrivals(32, 4);
    CHECK(one != forward);
    CHECK(arrivals(32, 4) == one);
    Ints sorted = one;
    std::sort(sorted.begin(), sorted.end());
    CHECK(sorted == forward);
    cusim::options().schedule = "random:2";
    CHECK(arrivals(32, 4) != one);
    checkNothingFound();
}

DEVICE_TEST("If barriers order nothing, a kernel races that needs them, and no other one") {
    cusim::options().barriersOrder = false;
    const auto checkRaces = [](const LaunchTable& table, const char* name, bool any) {
        INFO(name);
        cusim::reset();
        table.at(name)();
        const auto found = cusim::findings();
        CHECK(any == std::any_of(found.begin(), found.end(),
                                 [](const auto& finding) { return finding.kind == "race"; }));
    };
    for (const char* name : {"ok tiled", "ok neighbour read", "ok four questions", "ok reduction"})
        checkRaces(racing::kSharedLaunches, name, true);
    for (const char* name : {"ok lanes with __syncwarp", "ok sum of a warp"})
        checkRaces(racing::kWarpLaunches, name, true);
    for (const char* name : {"ok own element", "ok thread with itself"})
        checkRaces(racing::kSharedLaunches, name, false);
}
