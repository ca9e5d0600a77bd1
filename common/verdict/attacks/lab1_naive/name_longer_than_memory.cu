// Attack: to have the grader spell a name that is longer than memory.
// Gets: uncompiled: _Z7missing
// Most: 0
#include <cuda_runtime.h>

template <class A, class B>
struct Pair {};
using T0 = Pair<int, float>;
using T1 = Pair<T0, T0>;
using T2 = Pair<T1, T1>;
using T3 = Pair<T2, T2>;
using T4 = Pair<T3, T3>;
using T5 = Pair<T4, T4>;
using T6 = Pair<T5, T5>;
using T7 = Pair<T6, T6>;
using T8 = Pair<T7, T7>;
using T9 = Pair<T8, T8>;
using T10 = Pair<T9, T9>;
using T11 = Pair<T10, T10>;
using T12 = Pair<T11, T11>;
using T13 = Pair<T12, T12>;
using T14 = Pair<T13, T13>;
using T15 = Pair<T14, T14>;
using T16 = Pair<T15, T15>;
using T17 = Pair<T16, T16>;
using T18 = Pair<T17, T17>;
using T19 = Pair<T18, T18>;
using T20 = Pair<T19, T19>;
using T21 = Pair<T20, T20>;
using T22 = Pair<T21, T21>;
using T23 = Pair<T22, T22>;
using T24 = Pair<T23, T23>;
using T25 = Pair<T24, T24>;
using T26 = Pair<T25, T25>;
using T27 = Pair<T26, T26>;
using T28 = Pair<T27, T27>;
using T29 = Pair<T28, T28>;
using T30 = Pair<T29, T29>;
using T31 = Pair<T30, T30>;
using T32 = Pair<T31, T31>;
using T33 = Pair<T32, T32>;
using T34 = Pair<T33, T33>;
using T35 = Pair<T34, T34>;
using T36 = Pair<T35, T35>;
using T37 = Pair<T36, T36>;
using T38 = Pair<T37, T37>;
using T39 = Pair<T38, T38>;

void missing(T39*);

__global__ void matrixMulKernel(const float* M, const float* N, float* P, int Width) {}

void matrixMul(const float* M, const float* N, float* P, int Width) { missing(nullptr); }
