// Tests that unset reads are found, whichever thread reads first, and that near misses are not. The
// statement at fault carries a name in a comment, in which a test finds the finding's line.
#include <cuda/atomic>
#include <map>
#include <string>
#include <vector>

#include "chosen_options.h"
#include "findings_text.h"
#include "on_device.h"

namespace {

constexpr int kBlocks = 3, kThreads = 64;

__device__ int variable[kThreads];

template <class T>
__global__ void partlyStored(T* y, int stored) {
    __shared__ T s[kThreads];
    if (threadIdx.x < stored) s[threadIdx.x] = 1;
    y[threadIdx.x] = s[threadIdx.x];  // partly-stored
}

// Loads a tile whose elements beyond the matrix get no zero, unless `zero`.
__global__ void partOfTile(const float* x, float* y, int width, bool zero) {
    __shared__ float tile[8][8];
    const int tx = threadIdx.x, ty = threadIdx.y;
    if (tx < width && ty < width)
        tile[ty][tx] = x[ty * width + tx];
    else if (zero)
        tile[ty][tx] = 0.0f;
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 8; ++k) sum += tile[ty][k];  // part-of-tile
    y[ty * 8 + tx] = sum;
}

__global__ void sumOf(const int* x, const int* y, int* z, bool both) { *z = (both ? *x : 0) + *y; }

__global__ void addToUnset(int* y, bool store) {
    __shared__ int s[kThreads];
    if (store) s[threadIdx.x] = 0;
    s[threadIdx.x] += 1;  // add-to-unset
    y[threadIdx.x] = s[threadIdx.x];
}

__global__ void storedByOther(int* y, int stored) {
    __shared__ int s[kThreads];
    if (threadIdx.x == 0)
        for (int i = 0; i < stored; ++i) s[i] = i;
    __syncthreads();
    y[threadIdx.x] = s[threadIdx.x];  // stored-by-other
}

__global__ void secondBlock(int* y, bool all) {
    __shared__ int s[kThreads];
    if (blockIdx.x != 1 || all) s[threadIdx.x] = 1;
    y[blockIdx.x * kThreads + threadIdx.x] = s[threadIdx.x];  // second-block
}

__global__ void atomicOnUnset(int* y, bool zero) {
    __shared__ int total;
    if (zero && threadIdx.x == 0) total = 0;
    __syncthreads();
    atomicAdd(&total, 1);  // atomic-on-unset
    __syncthreads();
    y[blockIdx.x * kThreads + threadIdx.x] = total;
}

__global__ void setByAtomic(int* y, bool store) {
    __shared__ cuda::atomic<int, cuda::thread_scope_block> total;
    if (threadIdx.x == 0 && store) total.store(0);
    __syncthreads();
    y[blockIdx.x * kThreads + threadIdx.x] = total.fetch_add(1);  // unset-object
}

__global__ void exchange(int* y, bool uses) {
    __shared__ int s[kThreads];
    int had = 0;
    if (uses) had = atomicExch(&s[threadIdx.x], 1);  // exchange-used
    atomicExch(&s[threadIdx.x], 1);
    y[threadIdx.x] = s[threadIdx.x] + had;
}

__global__ void bytes(char* y, int stored) {
    __shared__ char s[8];
    if (threadIdx.x < stored) s[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 9) y[0] = s[7];                                // unset-byte
    if (threadIdx.x == 7) y[1] = *reinterpret_cast<int*>(s + 4) > 0;  // unset-word
}

__global__ void dynamic(int* y, int stored) {
    extern __shared__ int s[];
    if (threadIdx.x < stored) s[threadIdx.x] = 1;
    y[threadIdx.x] = s[threadIdx.x];  // unset-dynamic
}

__global__ void store(int* y, int stored) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i < stored) y[i] = i;
}

__global__ void read(const int* x, int* y) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    y[i] = x[i];  // device-read
}

__global__ void count(int* x) {
    atomicAdd(x, 1);  // device-count
}

__global__ void readVariable(int* y) { y[threadIdx.x] = variable[threadIdx.x]; }

__global__ void racing(int* y) {
    __shared__ int s[kThreads];
    s[threadIdx.x] = 1;                    // racing-store
    y[threadIdx.x] = s[63 - threadIdx.x];  // racing-read
}

__global__ void storedTooLate(int* y) {
    __shared__ int s[kThreads];
    y[threadIdx.x] = s[63 - threadIdx.x];  // late-read
    s[threadIdx.x] = 1;                    // late-store
}

// One array races, the other one does not.
__global__ void racingAndUnset(int* y) {
    __shared__ int raced[kThreads], never[kThreads];
    raced[threadIdx.x / 2] = 1;                                    // raced
    y[threadIdx.x] = raced[threadIdx.x / 2] + never[threadIdx.x];  // never
}

constexpr int kElements = kBlocks * kThreads;

struct Two {
    int *d_x, *d_y;
    Two() {
        cudaMalloc(&d_x, kElements * sizeof(int));
        cudaMalloc(&d_y, kElements * sizeof(int));
    }
    ~Two() {
        cudaFree(d_x);
        cudaFree(d_y);
    }
    void copyOut() const {
        int first;
        cudaMemcpy(&first, d_x, sizeof first, cudaMemcpyDeviceToHost);
    }
    void readX() const { read<<<kBlocks, kThreads>>>(d_x, d_y); }
};

template <class Kernel, class... Arguments>
void onY(Kernel kernel, int blocks, Arguments... arguments) {
    const Two on;
    kernel<<<blocks, kThreads>>>(on.d_y, arguments...);
}

template <class T>
void onArray(void (*kernel)(T*, int), int stored, std::size_t dynamicBytes = 0) {
    const OnDevice<T> y(kThreads);
    kernel<<<1, kThreads, dynamicBytes>>>(y, stored);
}

void tile(int width, bool zero) {
    const OnDevice<float> x(std::vector<float>(64, 1.0f)), y(64);
    partOfTile<<<1, dim3(8, 8)>>>(x, y, width, zero);
}

void fill(int elements) {
    const Two on;
    const std::vector<int> values(elements);
    cudaMemcpy(on.d_x, values.data(), elements * sizeof(int), cudaMemcpyHostToDevice);
    on.readX();
}
void set(int elements) {
    const Two on;
    cudaMemset(on.d_x, 0, elements * sizeof(int));
    on.readX();
}
void byKernel(int stored) {
    const Two on;
    store<<<kBlocks, kThreads>>>(on.d_x, stored);
    on.readX();
}
// Copies in both directions; the marks must travel with the copy.
void byCopy(int stored, int copied) {
    const Two on, from;
    cudaMemset(on.d_x, 0, kElements * sizeof(int));
    store<<<kBlocks, kThreads>>>(from.d_x, stored);
    cudaMemcpy(on.d_x, from.d_x, copied * sizeof(int), cudaMemcpyDeviceToDevice);
    on.readX();
}
void counter(bool zero) {
    const Two on;
    if (zero) cudaMemset(on.d_x, 0, sizeof(int));
    count<<<kBlocks, kThreads>>>(on.d_x);
}
void ofHost(bool managed) {
    const Two on;
    int* x;
    const std::size_t bytes = kElements * sizeof(int);
    managed ? cudaMallocManaged(&x, bytes) : cudaMallocHost(&x, bytes);
    *x = 1;  // for managed memory, see noteHostStores()
    read<<<kBlocks, kThreads>>>(x, on.d_y);
    managed ? cudaFree(x) : cudaFreeHost(x);
}

constexpr std::size_t kDynamicBytes = kThreads * sizeof(int);

const LaunchTable kLaunches{
    {"never stored", [] { onArray<int>(partlyStored, 0); }},
    {"ok stored", [] { onArray<int>(partlyStored, kThreads); }},
    {"part of a tile", [] { tile(5, false); }},
    {"ok zeros in a tile", [] { tile(5, true); }},
    {"ok whole tile", [] { tile(8, false); }},
    {"add to unset", [] { onY(addToUnset, 1, false); }},
    {"ok add", [] { onY(addToUnset, 1, true); }},
    {"one not stored by another", [] { onY(storedByOther, 1, kThreads - 1); }},
    {"ok stored by another", [] { onY(storedByOther, 1, kThreads); }},
    {"second block", [] { onY(secondBlock, kBlocks, false); }},
    {"ok all blocks", [] { onY(secondBlock, kBlocks, true); }},
    {"atomic on unset", [] { onY(atomicOnUnset, kBlocks, false); }},
    {"ok atomic", [] { onY(atomicOnUnset, kBlocks, true); }},
    {"object", [] { onY(setByAtomic, kBlocks, false); }},
    {"ok object", [] { onY(setByAtomic, kBlocks, true); }},
    {"exchange", [] { onY(exchange, 1, true); }},
    {"ok exchange", [] { onY(exchange, 1, false); }},
    {"byte", [] { onArray<char>(bytes, 7); }},
    {"ok byte", [] { onArray<char>(bytes, 8); }},
    {"double", [] { onArray<double>(partlyStored, 60); }},
    {"ok double", [] { onArray<double>(partlyStored, 64); }},
    {"dynamic", [] { onArray<int>(dynamic, 60, kDynamicBytes); }},
    {"ok dynamic", [] { onArray<int>(dynamic, 64, kDynamicBytes); }},
    {"device memory never filled", [] { Two().readX(); }},
    {"device memory partly filled", [] { fill(100); }},
    {"ok device memory filled", [] { fill(kElements); }},
    {"device memory partly set", [] { set(191); }},
    {"ok device memory set", [] { set(kElements); }},
    {"device memory partly stored", [] { byKernel(150); }},
    {"ok device memory stored", [] { byKernel(kElements); }},
    {"device memory copied from unset", [] { byCopy(150, kElements); }},
    {"ok device memory copied where set", [] { byCopy(150, 150); }},
    {"counter", [] { counter(false); }},
    {"ok counter", [] { counter(true); }},
    {"ok managed", [] { ofHost(true); }},
    {"ok pinned", [] { ofHost(false); }},
    {"ok variable", [] { onY(readVariable, 1); }},
    {"racing", [] { onY(racing, 1); }},
    {"racing and unset", [] { onY(racingAndUnset, 1); }},
    {"stored too late", [] { onY(storedTooLate, 1); }},
};

struct Expected {
    std::string array, mark;
    unsigned long long count;
    std::string example;  // part of the example
};

const std::map<std::string, Expected> kUnsetReads{
    {"never stored", {"s (shared)", "partly-stored", 64, "s[0], by thread (0,0,0)"}},
    // 5 of 8 rows lack 3 elements, the others all 8, and 8 threads read each row: 8 * 39.
    {"part of a tile", {"tile (shared)", "part-of-tile", 312, "tile[0][5],"}},
    {"add to unset", {"s (shared)", "add-to-unset", 64, "s[0],"}},
    {"one not stored by another",
     {"s (shared)", "stored-by-other", 1, "s[63], by thread (63,0,0)"}},
    {"second block", {"s (shared)", "second-block", 64, "by thread (0,0,0) of block (1,0,0)"}},
    // Every atomic counts, so that their order does not matter.
    {"atomic on unset",
     {"total (shared)", "atomic-on-unset", 192, "by thread (0,0,0) of block (0,0,0)"}},
    {"object", {"total (shared)", "unset-object", 192, "by thread (0,0,0) of block (0,0,0)"}},
    {"exchange", {"s (shared)", "exchange-used", 64, "s[0],"}},
    {"double", {"s (shared)", "partly-stored", 4, "s[60],"}},
    {"dynamic", {"s (shared)", "unset-dynamic", 4, "s[60], by"}},
    {"device memory never filled",
     {"d_x", "device-read", 192, "d_x[0] (counted in 4-byte words), by thread (0,0,0)"}},
    {"device memory partly filled",
     {"d_x", "device-read", 92,
      "d_x[100] (counted in 4-byte words), by thread (36,0,0) of "
      "block (1,0,0)"}},
    {"device memory partly set", {"d_x", "device-read", 1, "by thread (63,0,0) of block (2,0,0)"}},
    {"device memory partly stored", {"d_x", "device-read", 42, "d_x[150] "}},
    {"device memory copied from unset", {"d_x", "device-read", 42, "d_x[150] "}},
    {"counter",
     {"d_x", "device-count", 192,
      "d_x[0] (counted in 4-byte words), by thread (0,0,0) of "
      "block (0,0,0)"}},
};

void checkUnset(const cusim::Finding& finding, const Expected& expected) {
    INFO(cusim::text(finding));
    CHECK(finding.kind == "unset-read");
    CHECK(holds(finding.title, "reads " + expected.array + " before"));
    CHECK(marksOf(finding.file, finding.line) == expected.mark);
    CHECK(finding.count == expected.count);
    CHECK(anyHolds(finding.details, expected.example));
    CHECK_FALSE(finding.remedy.empty());
}

void run(const std::string& name) {
    cusim::reset();
    kLaunches.at(name)();
}

using Kinds = std::vector<std::string>;

Kinds kindsOf(const std::string& name) {
    run(name);
    Kinds kinds;
    for (const cusim::Finding& finding : cusim::findings()) kinds.push_back(finding.kind);
    return kinds;
}

}  // namespace

DEVICE_TEST("A read of what nothing has written is found, and its near misses stay silent") {
    std::size_t seen = 0;
    for (const auto& [name, launch] : kLaunches) {
        INFO(name);
        run(name);
        INFO(allFindings());
        if (name.rfind("ok ", 0) == 0) CHECK(cusim::findings().empty());
        if (kUnsetReads.count(name) == 0) continue;
        ++seen;
        checkUnset(onlyFinding(), kUnsetReads.at(name));
    }
    CHECK(seen == kUnsetReads.size());
}

TEST_CASE("The report of an unset read depends on no schedule, no host thread and no repetition") {
    checkSameTextAlways(kLaunches);
}

DEVICE_TEST("Shared memory into which nothing is stored asks for the line, not for the block") {
    run("never stored");
    CHECK(holds(onlyFinding().remedy, "No thread stores anything into s. Add the line"));
    run("part of a tile");
    CHECK(holds(onlyFinding().remedy, "If there is nothing to load, store 0.0f"));
}

DEVICE_TEST("An array with one element that is read once is not reported as never read") {
    for (const bool both : {true, false}) {
        cusim::reset();
        const OnDevice<int> x(1, 0), y(1), z(1);
        sumOf<<<1, 1>>>(x, y, z, both);
        CHECK(holds(onlyFinding().remedy, "The kernel never reads x") != both);
    }
}

DEVICE_TEST("A byte that nothing has written is found by itself and in its word") {
    run("byte");
    REQUIRE(cusim::findings().size() == 2);
    checkUnset(cusim::findings()[0],
               {"s (shared)", "unset-byte", 1, "by thread (9,0,0) of block (0,0,0)"});
    checkUnset(cusim::findings()[1],
               {"s (shared)", "unset-word", 1, "by thread (7,0,0) of block (0,0,0)"});
}

DEVICE_TEST("Whether a racing read comes before the write is left to the race") {
    CHECK(kindsOf("racing") == Kinds{"race"});
    CHECK(holds(cusim::findings()[0].remedy, "Put a __syncthreads() between"));
    CHECK(kindsOf("stored too late") == Kinds{"race"});
    CHECK(holds(cusim::findings()[0].remedy, "Store before you read."));
    // An unset read of another array in the same kernel is still found.
    CHECK(kindsOf("racing and unset") == Kinds{"race", "race", "unset-read"});
    checkUnset(cusim::findings()[2], {"never (shared)", "never", 64, "never[0],"});
}

DEVICE_TEST("Without the check of unset reads none is reported, but a race is") {
    cusim::options().unset = false;
    CHECK(kindsOf("never stored").empty());
    CHECK(kindsOf("device memory never filled").empty());
    Two().copyOut();
    CHECK(cusim::findings().empty());
    CHECK(kindsOf("racing") == Kinds{"race"});
    cusim::options().unset = true;
    CHECK(kindsOf("never stored") == Kinds{"unset-read"});
    // A read that was left to the race is reported once races are not.
    cusim::options().races = false;
    CHECK(kindsOf("racing") == Kinds{"unset-read"});
    CHECK(kindsOf("never stored") == Kinds{"unset-read"});
}

DEVICE_TEST("An element of a described matrix is named by row and column") {
    // 192 ints, which one matrix alone has.
    cusim::describeMatrix(nullptr, 12, 16);
    run("device memory never filled");
    CHECK(holds(onlyFinding().details[0], "d_x[0] (row 0, column 0), by thread"));
    // Two shapes have this size, and no copy tells them apart.
    cusim::describeMatrix(nullptr, 16, 12);
    run("device memory never filled");
    CHECK(holds(cusim::findings()[0].details[0], "d_x[0] (counted in 4-byte words)"));
    cusim::forgetMatrices();
}
