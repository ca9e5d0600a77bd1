// Races between lanes of a warp, and between accesses of other sizes than a word.
#include "kernels_races.h"
#include "launch_table.h"
#include "on_device.h"

namespace racing {
namespace {

constexpr int kThreads = 64;  // two warps

enum Between { None, SyncWarp, Shuffle };
__global__ void lanes(int* y, Between between, int distance) {
    __shared__ int s[kThreads];
    const int t = threadIdx.x;
    s[t] = t;  // lane-own
    if (between == SyncWarp) __syncwarp();
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
    __shared__ T small[kThreads];
    const int t = threadIdx.x;
    small[t] = t;                             // piece-own
    y[t] = small[(t + distance) % kThreads];  // piece-other
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

__global__ void doubles(double* y, int distance) {
    __shared__ double wide[kThreads];
    const int t = threadIdx.x;
    wide[t] = t;                             // double-own
    y[t] = wide[(t + distance) % kThreads];  // double-other
}

__global__ void vectors(float4* y, int distance) {
    __shared__ float4 four[kThreads];
    const int t = threadIdx.x;
    four[t] = make_float4(t, 0, 0, 0);       // vector-own
    y[t] = four[(t + distance) % kThreads];  // vector-other
}

struct Particle {
    float x, y;
    char tag;
};
__global__ void structs(Particle* y, int distance) {
    __shared__ Particle particles[kThreads];
    const int t = threadIdx.x;
    particles[t] = y[t];                          // struct-own
    y[t] = particles[(t + distance) % kThreads];  // struct-other
}

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

template <class T>
void onArray(void (*kernel)(T*, int), int distance) {
    const OnDevice<T> y(std::vector<T>(kThreads, T{}));
    kernel<<<1, kThreads>>>(y, distance);
}

void runLanes(Between between, int distance) {
    const OnDevice<int> y(kThreads);
    lanes<<<1, kThreads>>>(y, between, distance);
}
void runWarpReduce(int lanesOfLast) {
    const OnDevice<int> y(kThreads);
    warpReduce<<<1, kThreads>>>(y, lanesOfLast);
}
void runMembers(bool same) {
    const OnDevice<Particle> y(1);
    members<<<1, kThreads>>>(y, same);
}
void runDynamic(int distance) {
    const OnDevice<int> y(kThreads);
    dynamic<<<1, kThreads, kThreads * sizeof(int)>>>(y, distance);
}

}  // namespace

const LaunchTable& warpTable() {
    static const LaunchTable table{
        {"lanes", [] { runLanes(None, 1); }},
        {"ok lanes with __syncwarp", [] { runLanes(SyncWarp, 1); }},
        {"warps with __syncwarp", [] { runLanes(SyncWarp, 32); }},
        {"lanes with shuffle", [] { runLanes(Shuffle, 1); }},
        {"sum of a warp", [] { runWarpReduce(2); }},
        {"ok sum of a warp", [] { runWarpReduce(1); }},
        {"chars", [] { onArray<char>(pieces, 1); }},
        {"ok chars", [] { onArray<char>(pieces, 0); }},
        {"shorts", [] { onArray<short>(pieces, 1); }},
        {"ok shorts", [] { onArray<short>(pieces, 0); }},
        {"byte and word", [] { onArray<int>(byteAgainstWord, 5); }},
        {"ok byte and word", [] { onArray<int>(byteAgainstWord, 15); }},
        {"byte in the middle of a word", [] { onArray<int>(byteIntoWord, 1); }},
        {"ok byte beside a word", [] { onArray<int>(byteIntoWord, 2); }},
        {"doubles", [] { onArray<double>(doubles, 1); }},
        {"ok doubles", [] { onArray<double>(doubles, 0); }},
        {"vectors", [] { onArray<float4>(vectors, 1); }},
        {"ok vectors", [] { onArray<float4>(vectors, 0); }},
        {"structs", [] { onArray<Particle>(structs, 1); }},
        {"ok structs", [] { onArray<Particle>(structs, 0); }},
        {"one member", [] { runMembers(true); }},
        {"ok two members", [] { runMembers(false); }},
        {"dynamic", [] { runDynamic(1); }},
        {"ok dynamic", [] { runDynamic(0); }},
        {"odd sizes", [] { onArray<char>(oddSizes, 1); }},
        {"ok odd sizes", [] { onArray<char>(oddSizes, 0); }},
    };
    return table;
}

}  // namespace racing
