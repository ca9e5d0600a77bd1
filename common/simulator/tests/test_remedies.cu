// Tests that the first remedy names the cause: a variable of one thread that all share, the branch
// in which no barrier may stand, the size that is not counted in bytes.
#include <string>

#include "chosen_options.h"
#include "findings_text.h"
#include "on_device.h"

namespace {

constexpr int kThreads = 64;
__device__ int sum;

__global__ void sharedVariable(int* y) {
    __shared__ int own;
    own = static_cast<int>(threadIdx.x);
    y[threadIdx.x] = own;
}
__global__ void sharedFragment(int* y) {
    __shared__ int part[4];
    for (int i = 0; i < 4; ++i) part[i] = static_cast<int>(threadIdx.x) + i;
    y[threadIdx.x] = 1;
}
__global__ void addsToVariable(int* y) {
    if (y[0] == 0) sum += static_cast<int>(threadIdx.x) + 1;
}
__global__ void addsToElement(int* y) {
    const int old = *y;
    *y = old + static_cast<int>(threadIdx.x);
}
__global__ void largest(int* y) {
    const int own = static_cast<int>(threadIdx.x) + 1;
    if (own > y[0]) y[0] = own;
}
__global__ void countsByValue(int* y) { y[y[threadIdx.x + 32] + 1]++; }
__global__ void withoutBlock(int* y) {
    const int i = static_cast<int>(threadIdx.x);
    y[i] = static_cast<int>(blockIdx.x);
}
__global__ void withoutZ(int* y) { y[threadIdx.x] = static_cast<int>(threadIdx.z); }

__global__ void lastWarp(int* y) {
    __shared__ int s[kThreads];
    const int t = static_cast<int>(threadIdx.x);
    s[t] = y[t];
    __syncthreads();
    if (t < 32) {
        s[t] += s[t + 32];
        s[t] += s[(t + 16) % 32];
    }
}
__global__ void halfOfBlock(int* y) {
    __shared__ int s[kThreads];
    const int t = static_cast<int>(threadIdx.x);
    if (t >= 8) {
        s[t] = y[t];
        y[t] = s[71 - t];
    }
}
__global__ void unevenRounds(int* y) {
    __shared__ int s[2 * kThreads];
    for (int i = static_cast<int>(threadIdx.x); i < 100; i += kThreads) {
        s[i] = y[0];
        y[1 + threadIdx.x] = s[99 - i];
    }
}
// A variable's name may have another meaning in another loop.
__global__ void evenRounds(int* y) {
    __shared__ int s[kThreads];
    for (int i = static_cast<int>(threadIdx.x); i < kThreads; i += kThreads) y[i] = 1;
    for (int i = 0; i < 2; ++i) {
        s[threadIdx.x] = i;
        y[threadIdx.x] = s[63 - threadIdx.x];
    }
}

__global__ void firstBlockLoads(int* y) {
    __shared__ int tile[kThreads];
    if (blockIdx.x == 0) tile[threadIdx.x] = 1;
    y[kThreads * blockIdx.x + threadIdx.x] = tile[threadIdx.x];
}
__global__ void overBarrier(int* y) {
    for (int i = 0; i < 2; ++i) {
        if (threadIdx.x % 2 == 1) continue;  // jump
        y[threadIdx.x] = i;
        __syncthreads();
    }
}
__global__ void addsOne(int* y) { y[threadIdx.x] += 1; }

__global__ void numbers(int* y, int* top) {
    if (blockIdx.x == 1) *top = 0;
    y[blockIdx.x] = atomicAdd(top, 1);
}
__global__ void follows(int** y) { y[0][1] = 1; }

__global__ void onePast(int* y, int n) {
    for (int i = 0; i <= n; ++i) y[i] = 0;
}
__global__ void unguarded(int* y, int) { y[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
__global__ void guarded(int* y, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) y[i] = 1;
}
__global__ void reversed(int* y, int n) {
    const int t = static_cast<int>(threadIdx.x);
    y[t] = y[n - 1 - t] + 1;
}
__global__ void dynamic(int* y, int) {
    extern __shared__ int s[];
    s[threadIdx.x] = 1;
    y[threadIdx.x] = s[threadIdx.x];
}

__global__ void warpForBlock(int* y) {
    __shared__ int s[kThreads];
    s[threadIdx.x] = 1;
    __syncwarp();
    y[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void fenceForBarrier(int* y) {
    __shared__ int s[kThreads];
    s[threadIdx.x] = 1;
    __threadfence_block();
    y[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void wrongPartner(int* y) {
    __shared__ int s[kThreads];
    s[threadIdx.x] = y[threadIdx.x];
    for (unsigned n = kThreads / 2; n > 0; n /= 2) {
        __syncthreads();
        if (threadIdx.x < n) s[threadIdx.x] += s[threadIdx.x + 1];
    }
}
__global__ void gridForBlock(int* y) {
    y[blockIdx.x * gridDim.x + threadIdx.x] = static_cast<int>(blockIdx.x);
}
__global__ void oneForRows(int* y) {
    __shared__ int first;
    if (threadIdx.x == 0) first = static_cast<int>(threadIdx.y);
    __syncthreads();
    y[4 * threadIdx.y + threadIdx.x] = first;
}
__global__ void firstThreadLoads(int* y) {
    __shared__ int s[kThreads];
    if (threadIdx.x == 0) s[threadIdx.x] = 1;
    __syncthreads();
    y[threadIdx.x] = s[threadIdx.x];
}
__global__ void flatBlock(int* y) {
    __shared__ int s[256];
    s[16 * threadIdx.y + threadIdx.x] = 1;
    y[threadIdx.x] = s[16 * threadIdx.x + threadIdx.y];
}
__global__ void inGrid(int* y) {
    __shared__ int s[16][16];
    const unsigned row = blockIdx.x * blockDim.x + threadIdx.x;
    s[row][threadIdx.y] = 1;
    y[threadIdx.x] = s[row][0];
}
__global__ void letsOneIn(int* y, unsigned n) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > n) return;
    y[i] = 1;
}
__global__ void testsOther(int* y, int n) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int k = n - 8 + static_cast<int>(threadIdx.x);
    if (i < n) y[k] = 1;
}
__constant__ int few[4];

// Returns the remedy of the first finding that is no remark.
std::string remedyOf(void (*kernel)(int*), dim3 grid, dim3 block) {
    cusim::reset();
    resultOf(kernel, 256, grid, block);
    for (const cusim::Finding& one : cusim::findings())
        if (!one.remark) return one.remedy;
    return "no finding";
}
std::string remedyOf(void (*kernel)(int*)) { return remedyOf(kernel, 1, kThreads); }
void checkBegins(const std::string& text, const std::string& begin) {
    CHECK(text.substr(0, begin.size()) == begin);
}

}  // namespace

DEVICE_TEST("A variable of each thread that all of them share is reported as such") {
    checkBegins(remedyOf(sharedVariable), "__shared__ makes one own for all threads of the block");
    checkBegins(remedyOf(sharedFragment), "part[i] is the same element for all threads of the bl");
    for (const auto kernel : {sharedVariable, sharedFragment})
        CHECK(holds(remedyOf(kernel), "declare it in the kernel without __shared__"));
    checkBegins(remedyOf(addsToVariable), "__device__ makes one sum for all threads of the grid");
    checkBegins(remedyOf(addsToElement), "*y is the same element for all threads of the grid");
    checkBegins(remedyOf(countsByValue), "The index of y[y[threadIdx.x + 32] + 1] is read from ");
    for (const auto kernel : {addsToVariable, addsToElement, largest, countsByValue})
        CHECK(holds(remedyOf(kernel), "use an atomic, such as atomicAdd() or"));
    checkBegins(remedyOf(withoutBlock, 3, kThreads),
                "The index of y[i] does not depend on blockIdx.x (here 0 to 2): blocks that");
    checkBegins(remedyOf(withoutZ, 1, dim3(8, 1, 4)),
                "The index of y[threadIdx.x] does not depend on threadIdx.z (here 0 to 3)");
}

DEVICE_TEST("No barrier is advised for a branch that not all threads take") {
    CHECK(holds(remedyOf(lastWarp), "lets only one warp in."));
    CHECK(holds(remedyOf(halfOfBlock), "lets only some threads of the block in"));
    CHECK(holds(remedyOf(unevenRounds), "does not run the same number"));
    CHECK(holds(remedyOf(evenRounds), "Put a __syncthreads()"));
}

DEVICE_TEST("A tile that one block fills is not filled in the others") {
    checkBegins(remedyOf(firstBlockLoads, 2, kThreads),
                "Each block has its own tile, and no block");
}

DEVICE_TEST("A jump by which threads leave out a barrier is named with its line") {
    checkBegins(remedyOf(overBarrier), "The continue in line ");
    REQUIRE(cusim::findings()[0].others.size() == 1);
    CHECK(marksOf(cusim::findings()[0].file, cusim::findings()[0].others[0].line) == "jump");
}

DEVICE_TEST("A fill of fewer bytes than the array has is reported, with what was forgotten") {
    const std::vector<int> host(kThreads, 1);
    const OnDevice<int> copied(kThreads), set(kThreads);
    const int* pointer = host.data();
    cudaMemcpy(copied, pointer, sizeof(pointer), cudaMemcpyHostToDevice);
    addsOne<<<1, kThreads>>>(copied);
    CHECK(holds(onlyFinding().remedy, "fills 8 bytes, the size of a pointer"));
    cudaMemset(set, 0, kThreads);
    addsOne<<<1, kThreads>>>(set);
    CHECK(holds(cusim::findings().back().remedy, "the array has 64 elements of 4 bytes"));
}

DEVICE_TEST("A line's atomic is not taken for an access to the array that it stores") {
    const OnDevice<int> y(2, 0), top(1, 0);
    numbers<<<2, 1>>>(y, top);
    checkBegins(onlyFinding().remedy, "Nothing inside a launch makes other blocks wait");
}

DEVICE_TEST("A pointer of the host in an array of the device is reported by that array") {
    int host[2]{};
    int* pointer = host;
    int** d_rows = nullptr;
    cudaMalloc(&d_rows, sizeof(int*));
    cudaMemcpy(d_rows, &pointer, sizeof(pointer), cudaMemcpyHostToDevice);
    follows<<<1, 1>>>(d_rows);
    CHECK(onlyFinding().kind == "host-pointer");
    CHECK(anyHolds(onlyFinding().details, "d_rows, allocated at "));
}

DEVICE_TEST("What is one past the end names the <=, the guard or the size that lacks") {
    const OnDevice<int> y(100, 0);
    onePast<<<1, 1>>>(y, 100);
    CHECK(holds(onlyFinding().remedy, "compares with <="));
    cusim::reset();
    const OnDevice<int> again(100, 0);
    unguarded<<<2, 64>>>(again, 0);
    checkBegins(onlyFinding().remedy, "The launch has 128 threads for 100 elements");
    cusim::reset();
    int* d_few = nullptr;
    cudaMalloc(&d_few, 100);
    guarded<<<2, 64>>>(d_few, 100);
    checkBegins(onlyFinding().remedy, "d_few holds 100 bytes, and n is 100");
}

DEVICE_TEST("Rows of a pitch, gaps and missing blocks are recognized by their sizes") {
    std::vector<float> host(100);
    float* d_m = nullptr;
    cudaMalloc(&d_m, 400);
    CHECK(cudaMemcpy2D(d_m, 40, host.data(), 40, 20, 20, cudaMemcpyHostToDevice) != cudaSuccess);
    CHECK(holds(onlyFinding().remedy, "so it must be 10, not 20"));
    CHECK(cudaMemcpy2D(d_m, 80, host.data(), 20, 20, 10, cudaMemcpyHostToDevice) != cudaSuccess);
    CHECK(holds(cusim::findings().back().remedy, "exchanged, swap them: 5 rows of 10 floats"));
    CHECK(cudaMemcpy2D(d_m, 80, host.data(), 36, 36, 6, cudaMemcpyHostToDevice) != cudaSuccess);
    checkBegins(cusim::findings().back().remedy, "The memory has exactly 5 rows of this pitch");
    cusim::reset();
    const OnDevice<int> short_(100);
    guarded<<<100 / 64, 64>>>(short_, 100);
    short_.host();
    CHECK(holds(onlyFinding().remedy, "A quotient of integers such as n / 256 is cut off"));
    cusim::reset();
    const OnDevice<int> ofBlocks(1000);
    guarded<<<1, 64>>>(ofBlocks, 1000);
    ofBlocks.host();
    CHECK(holds(onlyFinding().remedy, "has 64 threads in x, and the first element"));
    CHECK(holds(onlyFinding().remedy, "copy only so many"));
}

DEVICE_TEST("What stands for a barrier and is none is named with its line") {
    checkBegins(remedyOf(warpForBlock), "The __syncwarp() in line ");
    checkBegins(remedyOf(fenceForBarrier), "The __threadfence_block() in line ");
}

DEVICE_TEST("No barrier is advised for a loop that has one") {
    checkBegins(remedyOf(wrongPartner), "This loop already has a barrier");
}

DEVICE_TEST("A product of blockIdx and gridDim is named") {
    CHECK(holds(remedyOf(gridForBlock, 2, kThreads), "multiplies blockIdx.x by gridDim.x"));
}

DEVICE_TEST("One shared variable for several rows of threads is to be an array") {
    CHECK(holds(remedyOf(oneForRows, 1, dim3(4, 4)), "make first an array with an element for"));
}

DEVICE_TEST("An if by which only some threads store is named") {
    checkBegins(remedyOf(firstThreadLoads), "The if in line ");
    CHECK(holds(remedyOf(firstThreadLoads), "lets only some threads store into s"));
}

DEVICE_TEST("The report of a shared index that does not fit its block names the block") {
    checkBegins(remedyOf(flatBlock, 1, 256), "The kernel uses threadIdx.y, which is always 0");
    CHECK(holds(remedyOf(flatBlock, 1, 256), "such as dim3(16, 16)."));
    checkBegins(remedyOf(inGrid, 2, dim3(16, 16)), "row counts through the whole grid.");
}

DEVICE_TEST("A guard that lets one in, or tests another variable, is named") {
    const OnDevice<int> y(100, 0);
    letsOneIn<<<2, 64>>>(y, 100);
    checkBegins(onlyFinding().remedy, "i is 100 in this thread, as n is, and the last one inside");
    cusim::reset();
    const OnDevice<int> again(100, 0);
    testsOther<<<1, 16>>>(again, 100);
    CHECK(holds(onlyFinding().remedy, "tests i, but no index in line "));
}

DEVICE_TEST("Pitches, padding, an offset in the target and a pointer's address are told") {
    std::vector<float> host(200);
    float* d_m = nullptr;
    cudaMalloc(&d_m, 400);
    CHECK(cudaMemcpy2D(d_m, 80, host.data(), 40, 40, 10, cudaMemcpyHostToDevice) != cudaSuccess);
    checkBegins(onlyFinding().remedy,
                "If the two pitches are exchanged, swap them: 10 rows at a pitch of 40");
    cusim::describeMatrix(host.data(), 10, 10);
    CHECK(cudaMemcpy2D(d_m, 80, host.data(), 40, 40, 10, cudaMemcpyHostToDevice) != cudaSuccess);
    checkBegins(cusim::findings().back().remedy,
                "d_m has just 10 rows of 40 bytes, without padding. If its rows are to be 80");
    cusim::forgetMatrices();
    CHECK(cudaMemcpyToSymbol(few, host.data(), 16, 16) != cudaSuccess);
    checkBegins(cusim::findings().back().remedy, "The offset is where in few");
    CHECK(cudaMemcpyToSymbol(few, host.data(), 16, cudaMemcpyHostToDevice) != cudaSuccess);
    checkBegins(cusim::findings().back().remedy,
                "The fourth argument is the offset in few, in bytes, here 1. The direction");
    CHECK(cudaMemcpy(&d_m, host.data(), 4, cudaMemcpyHostToDevice) != cudaSuccess);
    checkBegins(cusim::findings().back().remedy, "&d_m is the address of the pointer");
    cudaMemcpy2D(host.data(), 80, d_m, 80, 40, 2, cudaMemcpyHostToDevice);
    checkBegins(cusim::findings().back().remedy,
                "The first argument is the target, the third is the source. To copy to the host");
    cudaMemcpy2D(host.data(), 80, &d_m, 80, 40, 2, cudaMemcpyDeviceToHost);
    checkBegins(cusim::findings().back().remedy, "&d_m is the address of the pointer");
}

DEVICE_TEST("An element of an array of pointers that no cudaMalloc has set is reported") {
    std::vector<float> host(4);
    float* d_m[2] = {nullptr, host.data()};
    cudaMalloc(&d_m[0], 16);
    CHECK(cudaMemcpy(d_m[1], host.data(), 16, cudaMemcpyHostToDevice) != cudaSuccess);
    CHECK(holds(onlyFinding().remedy, "has allocated memory for 1 element of d_m, and this"));
}

DEVICE_TEST("The remedy of a statement that works in place is to read first") {
    resultOf(reversed, 64, 1, 64, 64);
    checkBegins(cusim::findings()[0].remedy, "The statement reads elements that other threads");
}

DEVICE_TEST("The third launch parameter counts bytes") {
    const OnDevice<int> y(64, 0);
    dynamic<<<1, 64, 64>>>(y, 0);
    checkBegins(onlyFinding().remedy, "The launch's third parameter gives the block 64 bytes");
}

DEVICE_TEST("cudaMalloc of no address of a pointer is a finding") {
    int* d_y = nullptr;
    CHECK(cudaMalloc(reinterpret_cast<void**>(d_y), 4) == cudaErrorInvalidValue);
    CHECK(holds(onlyFinding().title, "gets a null pointer instead of the address of a pointer"));
}
