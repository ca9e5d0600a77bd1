// What of CUB a block needs to sum up: cub::BlockReduce, in the order in which
// a card's code adds. As there, a barrier must be between two uses of one TempStorage.
#pragma once

#ifndef CUSIM_PROGRAM
#include <cub/is_not_for_labs.h>  // ends the compilation
#endif

#include "cuda_runtime.h"

namespace cub {

enum BlockReduceAlgorithm {
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS
};
struct Sum {
    template <class T>
    CUSIM_AT_CALLER T operator()(const T& a, const T& b) const {
        return a + b;
    }
};
struct Max {
    template <class T>
    CUSIM_AT_CALLER T operator()(const T& a, const T& b) const {
        return a < b ? b : a;
    }
};
struct Min {
    template <class T>
    CUSIM_AT_CALLER T operator()(const T& a, const T& b) const {
        return b < a ? b : a;
    }
};

// Threads of a block; the first gets the result.
template <class T, int kX, BlockReduceAlgorithm = BLOCK_REDUCE_WARP_REDUCTIONS, int kY = 1,
          int kZ = 1>
class BlockReduce {
  public:
    struct TempStorage {
        T values[kX * kY * kZ];
    };
    CUSIM_AT_CALLER explicit BlockReduce(TempStorage& storage) : storage_(storage) {}

    // `valid`: how many threads from the first on have a value.
    template <class Operation>
    CUSIM_AT_CALLER T Reduce(T value, Operation operation, int valid = kX * kY * kZ) {
        const int thread = threadIdx.x + kX * (threadIdx.y + kY * threadIdx.z);
        storage_.values[thread] = value;
        __syncthreads();
        if (thread > 0) return value;
        T all = value;
        for (int warp = 0; warp < valid; warp += 32) {
            const int end = valid - warp < 32 ? valid - warp : 32;
            T lanes[32];
            for (int lane = 0; lane < end; ++lane) lanes[lane] = storage_.values[warp + lane];
            for (int step = 1; step < 32; step *= 2)
                for (int lane = 0; lane + step < end; ++lane)
                    lanes[lane] = operation(lanes[lane], lanes[lane + step]);
            all = warp == 0 ? lanes[0] : operation(all, lanes[0]);
        }
        return all;
    }
    CUSIM_AT_CALLER T Sum(T value) { return Reduce(value, cub::Sum()); }
    CUSIM_AT_CALLER T Sum(T value, int valid) { return Reduce(value, cub::Sum(), valid); }

  private:
    TempStorage& storage_;
};

}  // namespace cub
