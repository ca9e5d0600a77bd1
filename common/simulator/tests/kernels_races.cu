// Races on shared memory: between lanes, warps and blocks, and between accesses of all sizes.
#include "kernels_races.h"

#include "on_device.h"

namespace racing {
namespace {

constexpr int kThreads = 64;  // two warps
constexpr int kTile = 8;

// Computes one output element a thread, with a tile of two warps and width / kTile phases.
__global__ void tiled(const float* a, const float* b, float* c, int width, bool first,
                      bool second) {
    __shared__ float tileA[kTile][kTile], tileB[kTile][kTile];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * kTile + ty, col = blockIdx.x * kTile + tx;
    float sum = 0;
    for (int phase = 0; phase < width / kTile; ++phase) {
        tileA[ty][tx] = a[row * width + phase * kTile + tx];    // fill-A
        tileB[ty][tx] = b[(phase * kTile + ty) * width + col];  // fill-B
        if (first) __syncthreads();
        for (int k = 0; k < kTile; ++k) sum += tileA[ty][k] * tileB[k][tx];  // use
        if (second) __syncthreads();
    }
    c[row * width + col] = sum;
}

__global__ void writeWrite(int share) {
    __shared__ int s[kThreads];
    s[threadIdx.x / share] = 1;  // write-write
}

__global__ void twoWriters(int otherIndex) {
    __shared__ int s[2];
    if (threadIdx.x == 5) s[0] = 1;            // first-writer
    if (threadIdx.x == 40) s[otherIndex] = 2;  // second-writer
}

__global__ void neighbour(int* y, bool barrier) {
    __shared__ int s[kThreads];
    s[threadIdx.x] = threadIdx.x;  // own
    if (barrier) __syncthreads();
    y[threadIdx.x] = s[(threadIdx.x + 1) % kThreads];  // next
}

// Four questions about one tile of 8 x 8.
__global__ void fourQuestions(int* y, bool transposed, bool beforeRead, bool beforeWrite) {
    __shared__ int tile[8][8];
    const int tx = threadIdx.x, ty = threadIdx.y;
    tile[ty][tx] = tx;              // write-1
    y[ty * 8 + tx] = tile[ty][tx];  // read-own
    if (!transposed) return;
    if (beforeRead) __syncthreads();
    y[ty * 8 + tx] = tile[tx][ty];   // read-1
    y[ty * 8 + tx] += tile[tx][ty];  // read-2
    if (beforeWrite) __syncthreads();
    if (beforeRead) tile[ty][tx] = 2;  // write-2
}

__global__ void transpose(float* a, int width, bool barrier) {
    __shared__ float tile[20][20];
    const int tx = threadIdx.x, ty = threadIdx.y, i = ty * width + tx;
    tile[ty][tx] = a[i];  // transpose-in
    if (barrier) __syncthreads();
    a[i] = tile[tx][ty];  // transpose-out
}

__global__ void reduce(const int* x, int* y, bool barrier) {
    __shared__ int partial[kThreads];
    const int t = threadIdx.x;
    partial[t] = x[t];  // reduce-in
    for (int stride = kThreads / 2; stride > 0; stride /= 2) {
        if (barrier) __syncthreads();
        if (t < stride) partial[t] += partial[t + stride];  // reduce-add
    }
    if (t == 0) *y = partial[0];
}

__global__ void sameValue(const int* x, bool all) {
    __shared__ int found;
    if (x[threadIdx.x] == 0 && (all || threadIdx.x == 9)) found = 1;  // same-value
}

enum Beside { Nothing, Store, Load };
__global__ void atomicBeside(int* y, Beside beside, bool barrier) {
    __shared__ int total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    atomicAdd(&total, 1);  // add
    if (barrier) __syncthreads();
    if (beside == Store && threadIdx.x == 33) total = 7;  // beside-store
    if (beside == Load && threadIdx.x == 33) *y = total;  // beside-load
}

__global__ void bareSelf(int* y) {
    __shared__ int s[kThreads];
    const int t = threadIdx.x;
    s[t] = 1;
    s[t] += 2;
    for (int i = 0; i < 3; ++i) s[t] = s[t] + y[t];
    y[t] = s[t];
}

__global__ void fiveInstructions(int* y, bool onePlace) {
    __shared__ int s[3];
    const int t = threadIdx.x, step = onePlace ? 0 : 1;
    if (t == 0) s[0] = 1;                  // many-a
    if (t == 10) s[1 * step] = 2;          // many-b
    if (t == 20) s[2 * step] = 3;          // many-c
    if (t == 30 && onePlace) y[0] = s[0];  // many-d
    if (t == 40 && onePlace) y[1] = s[0];  // many-e
}

__global__ void secondBlockOnly(int* y) {
    __shared__ int s[kThreads];
    const int t = threadIdx.x;
    s[t] = t;                                                // second-block-own
    y[blockIdx.x * kThreads + t] = s[t ^ (blockIdx.x & 1)];  // second-block-other
}

__global__ void barrierInLoop(int* y, int buffers) {
    __shared__ int s[2][kThreads];
    const int t = threadIdx.x;
    for (int i = 0; i < 4; ++i) {
        s[i % buffers][t] = i;  // loop-write
        __syncthreads();
        y[t] += s[i % buffers][kThreads - 1 - t];  // loop-read
    }
}

__global__ void someReturn(int* y, bool barrier) {
    __shared__ int s[kThreads];
    const int t = threadIdx.x;
    if (t >= 40) return;
    s[t] = t;  // return-own
    if (barrier) __syncthreads();
    y[t] = s[39 - t];  // return-other
}

// One thread writes and reads what another one writes and a third one reads. The example must be
// the same whichever of them runs first.
__global__ void threeThreads(int* y) {
    __shared__ int s[1];
    const int t = threadIdx.x;
    if (t == 1 || t == 3) s[0] = 1;     // three-write
    if (t == 1 || t == 5) y[t] = s[0];  // three-read
}

void runTiled(bool first, bool second) {
    const OnDevice<float> a(16 * 16, 1.0f), b(16 * 16, 1.0f), c(16 * 16);
    tiled<<<dim3(2, 2), dim3(kTile, kTile)>>>(a, b, c, 16, first, second);
}

void runReduce(bool barrier) {
    const OnDevice<int> x(kThreads, 0), y(1);
    reduce<<<1, kThreads>>>(x, y, barrier);
}

template <class Kernel, class... Arguments>
void onInts(Kernel kernel, int blocks, dim3 threads, Arguments... arguments) {
    const OnDevice<int> y(256, 0);
    kernel<<<blocks, threads>>>(y, arguments...);
}

enum Between { None, SyncWarp, Shuffle, BarrierOfHalf };
__global__ void lanes(int* y, Between between, int distance) {
    __shared__ int s[kThreads];
    const int t = threadIdx.x;
    s[t] = t;  // lane-own
    if (between == SyncWarp) __syncwarp();
    if (between == BarrierOfHalf && t < kThreads / 2) __syncthreads();
    if (between == Shuffle) y[t] = __shfl_xor_sync(0xffffffffu, t, 1);
    y[t] = s[t ^ distance];  // lane-other
}

// Reduces each warp on its own, with two __syncwarps a step.
__global__ void warpReduce(int* y, int lanesOfLast) {
    __shared__ int s[kThreads];
    const int t = threadIdx.x, lane = t % 32;
    s[t] = t;
    for (int step = 16; step > 0; step /= 2) {
        __syncwarp();
        const int other = lane < step ? s[t + step] : 0;
        __syncwarp();
        if (lane < step) s[t] += other;  // warp-sum
    }
    if (lane < lanesOfLast) y[t] = s[t / 32 * 32];  // warp-result
}

template <class T>
__global__ void pieces(T* y, int distance) {
    __shared__ T all[kThreads];
    const int t = threadIdx.x;
    all[t] = y[t];                          // piece-own
    y[t] = all[(t + distance) % kThreads];  // piece-other
}

__global__ void byteAgainstWord(int* y, int word) {
    __shared__ int words[kThreads / 4];
    const int t = threadIdx.x;
    if (t < 60) reinterpret_cast<char*>(words)[t] = 1;  // byte
    if (t == 63) words[15] = 2;
    if (t == 63) y[0] = words[word];  // word
}

__global__ void byteIntoWord(int* y, int word) {
    __shared__ int words[4];
    const int t = threadIdx.x;
    if (t == 33) reinterpret_cast<char*>(words)[6] = 1;  // into-byte
    if (t == 2) words[word] = 2;                         // into-word
}

struct Particle {
    float x, y;
    char tag;
};

// Two threads write different members of one element, or the same one.
__global__ void members(Particle* y, bool sameMember) {
    __shared__ Particle shared[kThreads / 2];
    const int t = threadIdx.x;
    if (t % 2 == 0 || sameMember)
        shared[t / 2].x = t;  // member-x
    else
        shared[t / 2].tag = 't';
}

__global__ void dynamic(int* y, int distance) {
    extern __shared__ int s[];
    const int t = threadIdx.x;
    s[t] = t;                // dynamic-own
    y[t] = s[t ^ distance];  // dynamic-other
}

// The arrays share a word of memory; the report must name the one that races.
__global__ void oddSizes(char* y, int distance) {
    __shared__ char before[5];
    __shared__ char behind[7];
    const int t = threadIdx.x;
    if (t < 5) before[t] = t;
    if (t < 7) behind[t] = t;                      // odd-own
    if (t < 7) y[t] = behind[(t + distance) % 7];  // odd-other
    if (t < 5) y[t] += before[t];
}

template <class T, class... More>
void onArray(void (*kernel)(T*, More...), std::common_type_t<More>... more) {
    resultOf(kernel, kThreads, 1, kThreads, more...);
}

void runDynamic(int distance) {
    const OnDevice<int> y(kThreads);
    dynamic<<<1, kThreads, kThreads * sizeof(int)>>>(y, distance);
}

const dim3 one(kThreads), tile(8, 8);

}  // namespace

const LaunchTable kSharedLaunches{
    {"tiled without its first barrier", [] { runTiled(false, true); }},
    {"tiled without its second barrier", [] { runTiled(true, false); }},
    {"tiled without barriers", [] { runTiled(false, false); }},
    {"ok tiled", [] { runTiled(true, true); }},
    {"two threads write one element", [] { writeWrite<<<1, kThreads>>>(2); }},
    {"ok each thread writes its element", [] { writeWrite<<<1, kThreads>>>(1); }},
    {"two lines write one element", [] { twoWriters<<<1, kThreads>>>(0); }},
    {"ok two lines write two elements", [] { twoWriters<<<1, kThreads>>>(1); }},
    {"neighbour read", [] { onInts(neighbour, 1, one, false); }},
    {"ok neighbour read", [] { onInts(neighbour, 1, one, true); }},
    {"ok own element", [] { onInts(fourQuestions, 1, tile, false, false, false); }},
    {"transposed read", [] { onInts(fourQuestions, 1, tile, true, false, true); }},
    {"next write", [] { onInts(fourQuestions, 1, tile, true, true, false); }},
    {"ok four questions", [] { onInts(fourQuestions, 1, tile, true, true, true); }},
    {"reduction", [] { runReduce(false); }},
    {"ok reduction", [] { runReduce(true); }},
    {"all store the same value", [] { onInts(sameValue, 1, one, true); }},
    {"ok one stores the value", [] { onInts(sameValue, 1, one, false); }},
    {"ok atomics", [] { onInts(atomicBeside, 1, one, Nothing, false); }},
    {"store beside atomics", [] { onInts(atomicBeside, 1, one, Store, false); }},
    {"ok store behind atomics", [] { onInts(atomicBeside, 1, one, Store, true); }},
    {"load beside atomics", [] { onInts(atomicBeside, 1, one, Load, false); }},
    {"ok load behind atomics", [] { onInts(atomicBeside, 1, one, Load, true); }},
    {"ok thread with itself", [] { onInts(bareSelf, 1, one); }},
    {"five instructions", [] { onInts(fiveInstructions, 1, one, true); }},
    {"ok five instructions", [] { onInts(fiveInstructions, 1, one, false); }},
    {"second block only", [] { onInts(secondBlockOnly, 2, one); }},
    {"ok first block", [] { onInts(secondBlockOnly, 1, one); }},
    {"barrier in a loop", [] { onInts(barrierInLoop, 1, one, 1); }},
    {"ok two buffers in a loop", [] { onInts(barrierInLoop, 1, one, 2); }},
    {"some return", [] { onInts(someReturn, 1, one, false); }},
    {"ok some return", [] { onInts(someReturn, 1, one, true); }},
    {"barrier in a branch", [] { onArray(lanes, BarrierOfHalf, kThreads - 1); }},
    {"three threads", [] { onInts(threeThreads, 1, one); }},
};

const LaunchTable kWarpLaunches{
    {"lanes", [] { onArray(lanes, None, 1); }},
    {"ok lanes with __syncwarp", [] { onArray(lanes, SyncWarp, 1); }},
    {"warps with __syncwarp", [] { onArray(lanes, SyncWarp, 32); }},
    {"lanes with shuffle", [] { onArray(lanes, Shuffle, 1); }},
    {"sum of a warp", [] { onArray(warpReduce, 2); }},
    {"ok sum of a warp", [] { onArray(warpReduce, 1); }},
    {"chars", [] { onArray(pieces<char>, 1); }},
    {"ok chars", [] { onArray(pieces<char>, 0); }},
    {"shorts", [] { onArray(pieces<short>, 1); }},
    {"ok shorts", [] { onArray(pieces<short>, 0); }},
    {"byte and word", [] { onArray(byteAgainstWord, 5); }},
    {"ok byte and word", [] { onArray(byteAgainstWord, 15); }},
    {"byte in the middle of a word", [] { onArray(byteIntoWord, 1); }},
    {"ok byte beside a word", [] { onArray(byteIntoWord, 2); }},
    {"doubles", [] { onArray(pieces<double>, 1); }},
    {"ok doubles", [] { onArray(pieces<double>, 0); }},
    {"vectors", [] { onArray(pieces<float4>, 1); }},
    {"ok vectors", [] { onArray(pieces<float4>, 0); }},
    {"structs", [] { onArray(pieces<Particle>, 1); }},
    {"ok structs", [] { onArray(pieces<Particle>, 0); }},
    {"one member", [] { onArray(members, true); }},
    {"ok two members", [] { onArray(members, false); }},
    {"dynamic", [] { runDynamic(1); }},
    {"ok dynamic", [] { runDynamic(0); }},
    {"odd sizes", [] { onArray(oddSizes, 1); }},
    {"ok odd sizes", [] { onArray(oddSizes, 0); }},
};

void transposeInPlace(int width, bool barrier) {
    resultOf(transpose, width * width, 1, dim3(width, width), width, barrier);
}

}  // namespace racing
