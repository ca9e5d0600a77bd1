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

}  // namespace cooperative_groups
