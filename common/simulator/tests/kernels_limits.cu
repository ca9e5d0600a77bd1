#include "kernels_limits.h"

#include "on_device.h"

namespace limits {
namespace {

__global__ void rowKernel(int* y, int column) {
    __shared__ int tile[4][4];
    tile[threadIdx.x][column] = 1;  // insideRow
    y[threadIdx.x] = tile[threadIdx.x][column];
}

__global__ void vectorKernel(float* x, int first) {
    *reinterpret_cast<float4*>(x + first) = make_float4(1, 2, 3, 4);  // offAlignment
}

// A device accesses these in pieces, so each member needs only its own alignment.
struct Pair {
    float a, b;
};
struct Pairs {
    int count;
    Pair pair[2];
};
struct __attribute__((packed)) Packed {
    char c;
    double d;
};

__global__ void piecesKernel(Pairs* pairs, Packed* packed, char* bytes) {
    __shared__ Pairs s;
    s.pair[1] = pairs->pair[0];
    const Pair pair = s.pair[1];
    pairs->pair[1] = pair;
    packed->d += packed->c;
    float copy[2];
    memcpy(copy, bytes + 1, 8);
    memcpy(bytes + 1, copy, 4);
}

__global__ void copyKernel(float* y, const float* x, int bytes) {
    memcpy(y, x, bytes);  // copyTooFar
}

__global__ void clearKernel(float* y, int bytes) {
    memset(y, 0, bytes);  // clearTooFar
}

__global__ void spinKernel(volatile int* flag) {
    while (*flag == 0) {  // spins
    }
}

__global__ void countKernel(int step) {
    for (int i = 0; i < 10; i += step) {  // counts
    }
}

__global__ void countAgainKernel(int step) {
    for (int i = 0; i < 10; i += step) {
    }
}

__global__ void nothingKernel(bool forEver) {
    while (forEver)  // doesNothing
        ;
}

__device__ int next(int i, int step) {
    if (step < 0) return i;
    return i + step;
}

__global__ void calleeKernel(int step) {
    for (int i = 0; i < 10;) {  // countsInCallee
        i = next(i, step);
    }
}

__global__ void nestKernel(int outerStep, int innerStep) {
    float sum = 0.0f;
    for (int i = 0; i < 10; i += outerStep) {  // outerLoop
        sum += 1.0f;
        for (int j = 0; j < 10; j += innerStep)  // innerLoop
            sum += 2.0f;
    }
}

__global__ void barrierKernel(int step) {
    for (int i = 0; i < 10; i += step)  // passes
        __syncthreads();
}

__global__ void manyBarriersKernel(int times) {
    for (int i = 0; i < times; ++i) __syncthreads();
}

}  // namespace

void storeInRow(int column) {
    const OnDevice<int> y(4);
    rowKernel<<<1, 4>>>(y, column);
}
void storeVector(int firstElement) {
    const OnDevice<float> x(8);
    vectorKernel<<<1, 1>>>(x, firstElement);
}
std::vector<float> copyInPieces() {
    const OnDevice<Pairs> pairs({{1, {{2, 3}, {4, 5}}}});
    const OnDevice<Packed> packed({{1, 2.0}});
    const OnDevice<char> bytes(std::vector<char>(16));
    piecesKernel<<<1, 1>>>(pairs, packed, bytes);
    const Pair copied = pairs.host()[0].pair[1];
    return {copied.a, copied.b, static_cast<float>(packed.host()[0].d)};
}
void copyBytes(int bytes) {
    const OnDevice<float> x{std::vector<float>(16)}, y(16);
    copyKernel<<<1, 1>>>(y, x, bytes);
}
void clearBytes(int bytes) {
    const OnDevice<float> y(16);
    clearKernel<<<1, 1>>>(y, bytes);
}
void spinOnMemory(bool set) {
    const OnDevice<int> flag(std::vector<int>(1, set));
    spinKernel<<<2, 32>>>(flag);
}
void countInSteps(int step) { countKernel<<<2, 32>>>(step); }
void countAgain(int step) { countAgainKernel<<<2, 32>>>(step); }
void doNothing(bool forEver) { nothingKernel<<<2, 32>>>(forEver); }
void countInCallee(int step) { calleeKernel<<<2, 32>>>(step); }
void nest(int outerStep, int innerStep) { nestKernel<<<2, 32>>>(outerStep, innerStep); }
void passBarriers(int step) { barrierKernel<<<2, 32>>>(step); }
void passManyBarriers(int times) { manyBarriersKernel<<<2, 32>>>(times); }

}  // namespace limits
