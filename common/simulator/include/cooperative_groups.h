// Stands in for NVIDIA's header of the same name: the group of a block's threads, and no other.
#pragma once

#include "cuda_runtime.h"

namespace cooperative_groups {

struct thread_block {
    static void sync(cusim::Where at = cusim::Where::exactly()) { __syncthreads(at); }
    static dim3 group_index() { return {blockIdx.x, blockIdx.y, blockIdx.z}; }
    static dim3 thread_index() { return {threadIdx.x, threadIdx.y, threadIdx.z}; }
    static dim3 group_dim() { return blockDim; }
    static dim3 dim_threads() { return blockDim; }
    static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
    static unsigned num_threads() { return size(); }
    static unsigned thread_rank() {
        return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    }
};

inline thread_block this_thread_block() { return {}; }
inline void sync(const thread_block&, cusim::Where at = cusim::Where::exactly()) {
    __syncthreads(at);
}

#ifdef __clang__
#define CUSIM_REJECT unavailable
#else
#define CUSIM_REJECT error
#endif
#define CUSIM_NO_GROUP(name)                                                           \
    __attribute__((CUSIM_REJECT(name " is not supported by the simulated device: use " \
                                     "this_thread_block(), or run on a card with DEVICE=gpu")))
CUSIM_NO_GROUP("this_grid") thread_block this_grid();
CUSIM_NO_GROUP("coalesced_threads") thread_block coalesced_threads();
template <unsigned Size, class Group>
CUSIM_NO_GROUP("tiled_partition")
thread_block tiled_partition(const Group&);
#undef CUSIM_NO_GROUP
#undef CUSIM_REJECT

}  // namespace cooperative_groups
