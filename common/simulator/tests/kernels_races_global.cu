// Races on device memory: within a block and across blocks.
#include "kernels_races.h"
#include "on_device.h"

namespace racing {
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

__global__ void allWrite(int* y, bool own) {
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

__global__ void write(int* y) { y[blockIdx.x * kThreads + threadIdx.x] = 1; }
__global__ void readAll(const int* y, int* z) {
    int sum = 0;
    for (int i = 0; i < kBlocks * kThreads; ++i) sum += y[i];
    z[blockIdx.x * kThreads + threadIdx.x] = sum;
}

__global__ void both(int* y) {
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
    write<<<kBlocks, kThreads>>>(on.d_y);
    readAll<<<kBlocks, kThreads>>>(on.d_y, on.d_z);
    write<<<kBlocks, kThreads>>>(on.d_y);
}

// The first launch makes the cells of one host thread byte cells.
void wordsAfterBytes() {
    const Two on;
    bytes<<<1, 1>>>(on.d_y, on.d_z, 1);
    allWrite<<<kBlocks, kThreads>>>(on.d_y, false);
}

template <class Argument>
void onTwo(void (*kernel)(int*, int*, Argument), Argument argument, int blocks = kBlocks,
           int threads = kThreads) {
    const Two on;
    kernel<<<blocks, threads>>>(on.d_y, on.d_z, argument);
}
template <class Kernel, class... Arguments>
void onOne(Kernel kernel, bool managed, Arguments... arguments) {
    const Two on(managed);
    kernel<<<kBlocks, kThreads>>>(on.d_y, arguments...);
}
void oneThreadEach(void (*kernel)(int*, int*, bool), bool flag) { onTwo(kernel, flag, kBlocks, 1); }

}  // namespace

const LaunchTable kGlobalLaunches{
    {"within a block", [] { onTwo(within, false); }},
    {"ok within a block", [] { onTwo(within, true); }},
    {"blocks write", [] { onOne(allWrite, false, false); }},
    {"ok blocks write", [] { onOne(allWrite, false, true); }},
    {"blocks write managed", [] { onOne(allWrite, true, false); }},
    {"ok blocks write managed", [] { onOne(allWrite, true, true); }},
    {"next block's element", [] { oneThreadEach(readNext, true); }},
    {"ok next block's element", [] { oneThreadEach(readNext, false); }},
    {"first block reads", [] { oneThreadEach(firstReads, false); }},
    {"ok first block reads", [] { oneThreadEach(firstReads, true); }},
    {"read beside atomics", [] { oneThreadEach(add, true); }},
    {"ok atomics of blocks", [] { onTwo(add, false); }},
    {"ok next launch reads", [] { writeThenRead(); }},
    {"threads and blocks", [] { onOne(both, false); }},
    {"variable", [] { variable<<<kBlocks, 1>>>(false); }},
    {"ok variable", [] { variable<<<kBlocks, 1>>>(true); }},
    {"byte and word of blocks", [] { onTwo(bytes, 2, 4, 1); }},
    {"ok bytes of blocks", [] { onTwo(bytes, -1, 4, 1); }},
    {"words after bytes", [] { wordsAfterBytes(); }},
};

}  // namespace racing
