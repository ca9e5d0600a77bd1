// Races between lanes of a warp, and between accesses of other sizes than a word.
#include "kernels_races.h"
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

}  // namespace

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

}  // namespace racing
