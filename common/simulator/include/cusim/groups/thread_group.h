// What all groups of threads have in common, and the groups of a block's and of a grid's threads
// (CUDA C++ Programming Guide, "Cooperative Groups").
#pragma once

#include "cuda_runtime.h"

namespace cooperative_groups {

namespace details {

CUSIM_UNCHECKED unsigned threadRank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
CUSIM_UNCHECKED unsigned blockSize() { return blockDim.x * blockDim.y * blockDim.z; }
CUSIM_UNCHECKED unsigned lanesBelow() { return (1u << threadRank() % 32) - 1; }

}  // namespace details

// A group of any kind. The lanes of a group within one warp are in `mask`, which is 0 for a block
// and for a grid.
class thread_group {
  public:
    CUSIM_UNCHECKED void sync(cusim::Where at = cusim::Where::exactly()) const;
    CUSIM_UNCHECKED unsigned long long size() const;
    CUSIM_UNCHECKED unsigned long long num_threads() const { return size(); }
    CUSIM_UNCHECKED unsigned long long thread_rank() const;
    // Only on the simulated device: the lanes of the group.
    CUSIM_UNCHECKED unsigned cusimMask() const { return mask_; }

  protected:
    CUSIM_UNCHECKED explicit thread_group(unsigned mask, bool grid = false)
        : mask_(mask), isGrid_(grid) {}

    unsigned mask_;
    bool isGrid_;
};

class thread_block : public thread_group {
  public:
    CUSIM_UNCHECKED thread_block() : thread_group(0) {}

    struct arrival_token {};
    static void sync(cusim::Where at = cusim::Where::exactly()) { __syncthreads(at); }
    // As in the toolkit, all of the barrier is in the wait.
    CUSIM_UNCHECKED static arrival_token barrier_arrive() { return {}; }
    static void barrier_wait(arrival_token&&, cusim::Where at = cusim::Where::exactly()) {
        sync(at);
    }
    CUSIM_UNCHECKED static dim3 group_index() { return {blockIdx.x, blockIdx.y, blockIdx.z}; }
    CUSIM_UNCHECKED static dim3 thread_index() { return {threadIdx.x, threadIdx.y, threadIdx.z}; }
    CUSIM_UNCHECKED static dim3 group_dim() { return blockDim; }
    CUSIM_UNCHECKED static dim3 dim_threads() { return blockDim; }
    CUSIM_UNCHECKED static unsigned size() { return details::blockSize(); }
    CUSIM_UNCHECKED static unsigned num_threads() { return size(); }
    CUSIM_UNCHECKED static unsigned thread_rank() { return details::threadRank(); }
};

CUSIM_UNCHECKED thread_block this_thread_block() { return {}; }
// The memory that tiles of several warps take on a card.
template <unsigned MaxBlockSize = 1024>
struct block_tile_memory {};
template <unsigned MaxBlockSize>
CUSIM_UNCHECKED thread_block this_thread_block(block_tile_memory<MaxBlockSize>&) {
    return {};
}

class grid_group : public thread_group {
  public:
    CUSIM_UNCHECKED grid_group() : thread_group(0, true) {}

    using arrival_token = unsigned;
    static void sync(cusim::Where at = cusim::Where::exactly()) { cusim::waitForGrid(at); }
    CUSIM_UNCHECKED static arrival_token barrier_arrive() { return 0; }
    static void barrier_wait(arrival_token&&, cusim::Where at = cusim::Where::exactly()) {
        sync(at);
    }
    CUSIM_UNCHECKED static bool is_valid() { return cusim::isCooperative(); }
    CUSIM_UNCHECKED static unsigned long long num_blocks() {
        return 1ull * gridDim.x * gridDim.y * gridDim.z;
    }
    CUSIM_UNCHECKED static unsigned long long block_rank() {
        return (1ull * blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    }
    CUSIM_UNCHECKED static unsigned long long size() { return num_blocks() * details::blockSize(); }
    CUSIM_UNCHECKED static unsigned long long num_threads() { return size(); }
    CUSIM_UNCHECKED static unsigned long long thread_rank() {
        return block_rank() * details::blockSize() + details::threadRank();
    }
    CUSIM_UNCHECKED static dim3 group_dim() { return gridDim; }
    CUSIM_UNCHECKED static dim3 dim_blocks() { return gridDim; }
    CUSIM_UNCHECKED static dim3 dim_threads() { return blockDim; }
    CUSIM_UNCHECKED static dim3 block_index() { return {blockIdx.x, blockIdx.y, blockIdx.z}; }
    CUSIM_UNCHECKED static dim3 thread_index() { return {threadIdx.x, threadIdx.y, threadIdx.z}; }
};

CUSIM_UNCHECKED grid_group this_grid() { return {}; }

CUSIM_UNCHECKED void thread_group::sync(cusim::Where at) const {
    if (mask_ != 0)
        __syncwarp(mask_, at);
    else if (isGrid_)
        grid_group::sync(at);
    else
        thread_block::sync(at);
}
CUSIM_UNCHECKED unsigned long long thread_group::size() const {
    if (mask_ != 0) return __popc(mask_);
    return isGrid_ ? grid_group::size() : thread_block::size();
}
CUSIM_UNCHECKED unsigned long long thread_group::thread_rank() const {
    if (mask_ != 0) return __popc(mask_ & details::lanesBelow());
    return isGrid_ ? grid_group::thread_rank() : thread_block::thread_rank();
}

template <class Group>
CUSIM_UNCHECKED void sync(const Group& group, cusim::Where at = cusim::Where::exactly()) {
    group.sync(at);
}
template <class Group>
CUSIM_UNCHECKED auto thread_rank(const Group& group) {
    return group.thread_rank();
}
template <class Group>
CUSIM_UNCHECKED auto group_size(const Group& group) {
    return group.size();
}

#ifdef __clang__
#define CUSIM_REJECT unavailable
#else
#define CUSIM_REJECT error
#endif
__attribute__((CUSIM_REJECT(
    "this_cluster() is not supported by the simulated device, which has no clusters of blocks: use "
    "this_grid() or this_thread_block(), or run on a card with DEVICE=gpu"))) thread_block
this_cluster();
#undef CUSIM_REJECT

}  // namespace cooperative_groups
