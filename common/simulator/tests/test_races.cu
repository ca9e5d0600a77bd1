// Tests that two threads at one place with no barrier between are found, whichever came first, and
// that near misses are not.
#include <map>
#include <string>
#include <vector>

#include "chosen_options.h"
#include "findings_text.h"
#include "kernels_races.h"
#include "on_device.h"

namespace {

constexpr int kBlocks = 12, kThreads = 8;

__device__ int total;
__device__ int perBlock[kBlocks];

__global__ void within(int* y, int* z, bool barrier) {
    const int t = threadIdx.x;
    y[blockIdx.x * kThreads + t] = t;  // within-own
    if (barrier) __syncthreads();
    z[blockIdx.x * kThreads + t] = y[blockIdx.x * kThreads + (t ^ 1)];  // within-other
}

__global__ void allWrite(int* y, int*, bool own) {
    if (threadIdx.x == 0) y[own ? blockIdx.x : 0] = 1;  // all-write
}

__global__ void readNext(int* y, int* z, bool next) {
    const int b = blockIdx.x;
    y[b] = b;  // next-own
    __syncthreads();
    z[b] = y[(b + (next ? 1 : 0)) % kBlocks];  // next-other
}

// Only the first block reads.
__global__ void firstReads(int* y, int* z, bool own) {
    y[own ? blockIdx.x : 0] = 1;       // first-write
    if (blockIdx.x == 0) z[0] = y[0];  // first-read
}

__global__ void add(int* y, int* z, bool read) {
    atomicAdd(y, 1);                           // blocks-add
    if (read && blockIdx.x == 7) z[0] = y[0];  // blocks-read
}

__global__ void writeAll(int* y) { y[blockIdx.x * kThreads + threadIdx.x] = 1; }
__global__ void readAll(const int* y, int* z) {
    int sum = 0;
    for (int i = 0; i < kBlocks * kThreads; ++i) sum += y[i];
    z[blockIdx.x * kThreads + threadIdx.x] = sum;
}

__global__ void both(int* y, int*, bool) {
    y[0] = threadIdx.x;  // both
}

__global__ void variable(bool own) {
    if (own)
        perBlock[blockIdx.x] += 1;
    else
        total = 1;  // variable
}

// Each block writes a byte of its own, except one, which reads the whole word.
__global__ void bytes(int* y, int* z, int reader) {
    if (static_cast<int>(blockIdx.x) == reader)
        z[0] = y[0];  // blocks-word
    else
        reinterpret_cast<char*>(y)[blockIdx.x] = 1;  // blocks-byte
}

// Reports name the arrays by the lines that allocate them.
struct Two {
    int *d_y, *d_z;
    explicit Two(bool managed = false) {
        if (managed)
            cudaMallocManaged(&d_y, kBytes);
        else
            cudaMalloc(&d_y, kBytes);
        cudaMalloc(&d_z, kBytes);
        cudaMemset(d_y, 0, kBytes);
        cudaMemset(d_z, 0, kBytes);
    }
    ~Two() {
        cudaFree(d_y);
        cudaFree(d_z);
    }
    static constexpr std::size_t kBytes = kBlocks * kThreads * sizeof(int);
};

void writeThenRead() {
    const Two on;
    writeAll<<<kBlocks, kThreads>>>(on.d_y);
    readAll<<<kBlocks, kThreads>>>(on.d_y, on.d_z);
    writeAll<<<kBlocks, kThreads>>>(on.d_y);
}

// The first launch makes the cells of one host thread byte cells.
void wordsAfterBytes() {
    const Two on;
    bytes<<<1, 1>>>(on.d_y, on.d_z, 1);
    allWrite<<<kBlocks, kThreads>>>(on.d_y, on.d_z, false);
}

template <class Argument>
void onTwo(void (*kernel)(int*, int*, Argument), Argument argument, int blocks = kBlocks,
           int threads = kThreads, bool managed = false) {
    const Two on(managed);
    kernel<<<blocks, threads>>>(on.d_y, on.d_z, argument);
}

const LaunchTable kGlobalLaunches{
    {"within a block", [] { onTwo(within, false); }},
    {"ok within a block", [] { onTwo(within, true); }},
    {"blocks write", [] { onTwo(allWrite, false); }},
    {"ok blocks write", [] { onTwo(allWrite, true); }},
    {"blocks write managed", [] { onTwo(allWrite, false, kBlocks, kThreads, true); }},
    {"ok blocks write managed", [] { onTwo(allWrite, true, kBlocks, kThreads, true); }},
    {"next block's element", [] { onTwo(readNext, true, kBlocks, 1); }},
    {"ok next block's element", [] { onTwo(readNext, false, kBlocks, 1); }},
    {"first block reads", [] { onTwo(firstReads, false, kBlocks, 1); }},
    {"ok first block reads", [] { onTwo(firstReads, true, kBlocks, 1); }},
    {"read beside atomics", [] { onTwo(add, true, kBlocks, 1); }},
    {"ok atomics of blocks", [] { onTwo(add, false); }},
    {"ok next launch reads", [] { writeThenRead(); }},
    {"threads and blocks", [] { onTwo(both, false); }},
    {"variable", [] { variable<<<kBlocks, 1>>>(false); }},
    {"ok variable", [] { variable<<<kBlocks, 1>>>(true); }},
    {"byte and word of blocks", [] { onTwo(bytes, 2, 4, 1); }},
    {"ok bytes of blocks", [] { onTwo(bytes, -1, 4, 1); }},
    {"words after bytes", [] { wordsAfterBytes(); }},
};

// What a race's finding must say. A line is named by the mark in its comment.
struct ExpectedRace {
    std::string array, first, second;  // marks; the same twice for one line
    unsigned long long count;
    std::string example;  // part of the example
};

std::string otherMark(const cusim::Finding& finding) {
    const std::string label = "other side: ";
    for (const std::string& detail : finding.details) {
        if (detail.rfind(label, 0) != 0) continue;
        const std::size_t colon = detail.find(':', label.size());
        return marksOf(detail.substr(label.size(), colon - label.size()),
                       std::stoi(detail.substr(colon + 1)));
    }
    return holds(finding.title, "on the same line") ? marksOf(finding.file, finding.line)
                                                    : "no other side";
}

void checkRace(const cusim::Finding& finding, const ExpectedRace& expected,
               const std::string& space = " (shared)") {
    INFO(cusim::text(finding));
    CHECK(finding.kind == "race");
    CHECK(holds(finding.title, "race on " + expected.array + space + ":"));
    CHECK(marksOf(finding.file, finding.line) == expected.first);
    CHECK(otherMark(finding) == expected.second);
    CHECK(finding.count == expected.count);
    CHECK(anyHolds(finding.details, expected.example));
    CHECK_FALSE(finding.kernel.empty());
    CHECK_FALSE(finding.remedy.empty());
}

using Races = std::vector<ExpectedRace>;

// A thread of a block, as far as the launches here have any.
struct Thread {
    int x, y = 0;
};
std::string shown(Thread thread) {
    return "thread (" + std::to_string(thread.x) + "," + std::to_string(thread.y) + ",0) ";
}

std::string byThreads(Thread first, Thread second, const std::string& does = "writes",
                      const std::string& doesToo = "writes", const std::string& block = "0,0,0") {
    return shown(first) + does + " it, " + shown(second) + doesToo + " it, in block (" + block +
           "), with no barrier between";
}
std::string writeRead(Thread writer, Thread reader, const std::string& block = "0,0,0") {
    return byThreads(writer, reader, "writes", "reads", block);
}
std::string byBlocks(int first, int second, const std::string& does = "writes",
                     const std::string& doesToo = "writes") {
    return "block (" + std::to_string(first) + ",0,0) " + does + " it, block (" +
           std::to_string(second) + ",0,0) " + doesToo + " it in the same launch";
}

// The tiled launches have 4 blocks of 64 elements each and 2 phases.
const std::map<std::string, Races> kOfSharedMemory{
    {"tiled without its first barrier",
     {{"tileA", "fill-A", "use", 512, writeRead({0}, {7})},
      {"tileB", "fill-B", "use", 512, writeRead({0}, {0, 7})}}},
    {"tiled without its second barrier",
     {{"tileA", "fill-A", "use", 256, writeRead({0}, {7})},
      {"tileB", "fill-B", "use", 256, writeRead({0}, {0, 7})}}},
    {"tiled without barriers",
     {{"tileA", "fill-A", "use", 256, writeRead({0}, {7})},
      {"tileB", "fill-B", "use", 256, writeRead({0}, {0, 7})}}},
    {"two threads write one element",
     {{"s", "write-write", "write-write", 32, byThreads({0}, {1})}}},
    {"two lines write one element",
     {{"s", "first-writer", "second-writer", 1, byThreads({5}, {40})}}},
    {"neighbour read", {{"s", "own", "next", 64, writeRead({0}, {63})}}},
    {"transposed read",
     {{"tile", "write-1", "read-1", 56, writeRead({1}, {0, 1})},
      {"tile", "write-1", "read-2", 56, writeRead({1}, {0, 1})}}},
    {"next write",
     {{"tile", "write-2", "read-1", 56, writeRead({1}, {0, 1})},
      {"tile", "write-2", "read-2", 56, writeRead({1}, {0, 1})}}},
    {"reduction",
     {{"partial", "reduce-in", "reduce-add", 63, writeRead({1}, {0})},
      {"partial", "reduce-add", "reduce-add", 31, writeRead({1}, {0})}}},
    {"all store the same value", {{"found", "same-value", "same-value", 1, byThreads({0}, {63})}}},
    {"store beside atomics",
     {{"total", "add", "beside-store", 1, byThreads({0}, {33}, "updates", "writes")}}},
    {"load beside atomics",
     {{"total", "add", "beside-load", 1, byThreads({0}, {33}, "updates", "reads")}}},
    {"five instructions",
     {{"s", "many-a", "many-b", 1, byThreads({0}, {10})},
      {"s", "many-a", "many-c", 1, byThreads({0}, {20})},
      {"s", "many-a", "many-d", 1, writeRead({0}, {30})},
      {"s", "many-a", "many-e", 1, writeRead({0}, {40})},
      {"s", "many-b", "many-c", 1, byThreads({10}, {20})},
      {"s", "many-b", "many-d", 1, writeRead({10}, {30})},
      {"s", "many-b", "many-e", 1, writeRead({10}, {40})},
      {"s", "many-c", "many-d", 1, writeRead({20}, {30})},
      {"s", "many-c", "many-e", 1, writeRead({20}, {40})}}},
    {"second block only",
     {{"s", "second-block-own", "second-block-other", 64, writeRead({0}, {1}, "1,0,0")}}},
    {"barrier in a loop", {{"s", "loop-write", "loop-read", 192, writeRead({0}, {63})}}},
    {"some return", {{"s", "return-own", "return-other", 40, writeRead({0}, {39})}}},
    {"barrier in a branch", {{"s", "lane-own", "lane-other", 32, writeRead({0}, {63})}}},
    {"three threads",
     {{"s", "three-write", "three-write", 1, byThreads({1}, {3})},
      {"s", "three-write", "three-read", 1, writeRead({1}, {5})}}},
};

Races pieces(unsigned long long words) {
    return {{"all", "piece-own", "piece-other", words, writeRead({0}, {63})}};
}
Races lanes(Thread other) { return {{"s", "lane-own", "lane-other", 64, writeRead({0}, other)}}; }

// Counts are of words of 4 bytes.
const std::map<std::string, Races> kOfWarpsAndSizes{
    {"lanes", lanes({1})},
    {"warps with __syncwarp", lanes({32})},
    {"lanes with shuffle", lanes({1})},
    {"sum of a warp", {{"s", "warp-sum", "warp-result", 2, writeRead({0}, {1})}}},
    {"chars", pieces(16)},
    {"shorts", pieces(32)},
    {"byte and word", {{"words", "byte", "word", 1, writeRead({20}, {63})}}},
    {"byte in the middle of a word",
     {{"words", "into-byte", "into-word", 1, byThreads({33}, {2})}}},
    {"doubles", pieces(128)},
    {"vectors", pieces(256)},
    {"structs", pieces(192)},
    {"one member", {{"shared", "member-x", "member-x", 32, byThreads({0}, {1})}}},
    {"dynamic", {{"s", "dynamic-own", "dynamic-other", 64, writeRead({0}, {1})}}},
    {"odd sizes", {{"behind", "odd-own", "odd-other", 2, writeRead({0}, {6})}}},
};

const std::map<std::string, Races> kOfDeviceMemory{
    {"within a block", {{"d_y", "within-own", "within-other", 96, writeRead({0}, {1})}}},
    {"blocks write", {{"d_y", "all-write", "all-write", 1, byBlocks(0, 11)}}},
    {"blocks write managed", {{"d_y", "all-write", "all-write", 1, byBlocks(0, 11)}}},
    {"next block's element",
     {{"d_y", "next-own", "next-other", 12, byBlocks(0, 11, "writes", "reads")}}},
    {"first block reads",
     {{"d_y", "first-write", "first-write", 1, byBlocks(0, 11)},
      {"d_y", "first-write", "first-read", 1, byBlocks(11, 0, "writes", "reads")}}},
    {"read beside atomics",
     {{"d_y", "blocks-add", "blocks-read", 1, byBlocks(0, 7, "updates", "reads")}}},
    {"threads and blocks",
     {{"d_y", "both", "both", 12, byThreads({0}, {7})},
      {"d_y", "both", "both", 1, byBlocks(0, 11)}}},
    {"variable", {{"total", "variable", "variable", 1, byBlocks(0, 11)}}},
    {"byte and word of blocks",
     {{"d_y", "blocks-byte", "blocks-word", 1, byBlocks(0, 2, "writes", "reads")}}},
    {"words after bytes", {{"d_y", "all-write", "all-write", 1, byBlocks(0, 11)}}},
};

void run(const std::string& name) {
    cusim::reset();
    for (const auto* table : {&racing::kSharedLaunches, &racing::kWarpLaunches, &kGlobalLaunches})
        if (table->count(name) != 0) return table->at(name)();
    FAIL("no launch " << name);
}

std::vector<cusim::Finding> racesFound() {
    std::vector<cusim::Finding> races;
    for (const cusim::Finding& finding : cusim::findings())
        if (finding.kind == "race") races.push_back(finding);
    return races;
}

// Checks that each launch has the expected races, and a near miss none.
void checkAll(const LaunchTable& table, const std::map<std::string, Races>& expected,
              const std::string& space = " (shared)") {
    std::size_t racy = 0;
    for (const auto& [name, launch] : table) {
        INFO(name);
        cusim::reset();
        launch();
        INFO(allFindings());
        const bool nearMiss = name.rfind("ok ", 0) == 0;
        REQUIRE(expected.count(name) == (nearMiss ? 0 : 1));
        const Races races = nearMiss ? Races{} : expected.at(name);
        racy += nearMiss ? 0 : 1;
        REQUIRE(racesFound().size() == races.size());
        for (std::size_t i = 0; i < races.size(); ++i) checkRace(racesFound()[i], races[i], space);
    }
    CHECK(racy == expected.size());
}

// Returns the remedy of the only finding of this launch.
std::string remedyOf(const std::string& name) {
    run(name);
    return onlyFinding().remedy;
}

}  // namespace

DEVICE_TEST("A race on shared memory is found with both lines, and its near misses stay silent") {
    checkAll(racing::kSharedLaunches, kOfSharedMemory);
}

DEVICE_TEST("Lanes race unless __syncwarp orders them, and pieces of a word are told apart") {
    checkAll(racing::kWarpLaunches, kOfWarpsAndSizes);
}

DEVICE_TEST("A race on device memory is found within a block, across blocks and host threads") {
    checkAll(kGlobalLaunches, kOfDeviceMemory, "");
}

TEST_CASE("The report of a race depends on no schedule, no host thread and no repetition") {
    SECTION("on shared memory") { checkSameTextAlways(racing::kSharedLaunches); }
    SECTION("of warps and sizes") { checkSameTextAlways(racing::kWarpLaunches); }
    SECTION("on device memory") { checkSameTextAlways(kGlobalLaunches); }
}

DEVICE_TEST("Transposing a block in place races without a barrier unless it is one thread") {
    for (unsigned width = 1; width <= 20; ++width) {
        INFO("width " << width);
        cusim::reset();
        racing::transposeInPlace(width, true);
        CHECK(cusim::findings().empty());
        racing::transposeInPlace(width, false);
        if (width == 1) {
            CHECK(cusim::findings().empty());
            continue;
        }
        checkRace(onlyFinding(), {"tile", "transpose-in", "transpose-out", width * width - width,
                                  writeRead({1}, {0, 1})});
    }
}

DEVICE_TEST("A missing second barrier is told apart from a missing first one") {
    CHECK(holds(remedyOf("barrier in a loop"), "after line"));
    CHECK(holds(remedyOf("neighbour read"), "between the two lines"));
    run("barrier in a branch");
    REQUIRE(racesFound().size() == 1);
    CHECK(holds(racesFound()[0].remedy, "between the two lines"));
    run("next write");
    REQUIRE(racesFound().size() == 2);
    for (const cusim::Finding& finding : racesFound())
        CHECK(holds(finding.remedy, "between the two lines"));
}

DEVICE_TEST("A barrier that lacks between a loop's rounds is not mended by elements of one's own") {
    run("reduction");
    REQUIRE(cusim::findings().size() == 2);
    CHECK(holds(cusim::findings()[1].remedy, "put one __syncthreads() into each of its rounds"));
    CHECK(remedyOf("two threads write one element") ==
          "Give each thread its own element: check the index and the values of its variables. If "
          "all threads mean the same element, let one thread store it, or use an atomic.");
    CHECK(
        holds(remedyOf("blocks write"), "such as row * (number of columns) + column. Check also"));
}

DEVICE_TEST("Two lines that write one place may need another index, or a barrier") {
    const std::string remedy = remedyOf("two lines write one element");
    CHECK(holds(remedy, "or the place where a tile in the array begins. If they mean"));
    CHECK(holds(remedy, "between the two lines"));
    CHECK_FALSE(holds(remedyOf("neighbour read"), "mean the same"));
}

DEVICE_TEST("Without the race check no race is reported") {
    for (const std::string name : {"two threads write one element", "blocks write"}) {
        cusim::options().races = false;
        run(name);
        CHECK(cusim::findings().empty());
        cusim::options().races = true;
        run(name);
        CHECK(cusim::findings().size() == 1);
    }
}
