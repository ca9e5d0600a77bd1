// A kernel that does what a random program says, on the simulated device and on a card.
#pragma once

#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include <cuda/atomic>
#include <cuda/barrier>

#include "random_steps.h"

namespace random_kernel {

// `program` holds a number for each step of each actor: 1000 * value + 100 * place + what. A
// barrier and the like are a step of all actors of a block.
template <class Note>
__global__ void randomKernel(const int* program, int* g, int* same, int* f, int* hands, int* sink,
                             Note note) {
    namespace groups = cooperative_groups;
    using Flag = cuda::atomic_ref<int, cuda::thread_scope_device>;
    __shared__ int s[kPlaces];
    __shared__ cuda::barrier<cuda::thread_scope_block> object;
    const int t = threadIdx.x, b = blockIdx.x;
    if (t < kPlaces) s[t] = 0;
    if (t == 0) init(&object, kThreads);
    __syncthreads();
    const int acting[] = {kActing[0], kActing[1], kActing[2], kActing[3]};
    int actor = -1;
    for (int a = 0; a < kActors; ++a)
        if (t == acting[a]) actor = b * kActors + a;
    note(actor, Nothing, 0);
    int sum = 0;
    const auto add = [&](int loaded) { sum = 3 * sum + loaded; };
    for (int step = 0; step < kSteps; ++step) {
        const int own = actor < 0 ? b * kActors : actor;
        const int code = program[own * kSteps + step];
        const int what = code % 100, place = code / 100 % 10, value = code / 1000;
        if (what == Barrier || what == SyncBlock) {
            note(actor, Barrier, 0);
            if (what == SyncBlock)
                groups::this_thread_block().sync();
            else
                __syncthreads();
        } else if (what == BarrierObject) {
            note(actor, what, 0);
            object.arrive_and_wait();
        } else if (what == SyncWarp && t < 32) {
            note(actor, what, 0);
            __syncwarp();
        } else if ((what == SyncHalf || what == SyncTile) && t < 16) {
            note(actor, SyncHalf, 0);
            if (what == SyncTile)
                groups::tiled_partition<16>(groups::this_thread_block()).sync();
            else
                __syncwarp(0xffff);
        } else if (what == Shuffle) {
            sum += __shfl_xor_sync(0xffffffff, sum, 5);
        }
        if (actor < 0 || what >= kAlone || what == Nothing) continue;
        if (what == AwaitAcquire)
            while (Flag(hands[place]).load(cuda::memory_order_acquire) == 0) {
            }
        if (what == AwaitVolatile)
            while (*static_cast<volatile int*>(hands + place) == 0) {
            }
        if (what == HandExchange) {
            note(actor, Fence, 0);
            __threadfence();
        }
        note(actor, what, place);
        int* const flag = f + place;
        if (what == LoadShared) add(s[place]);
        if (what == StoreShared) s[place] = value;
        if (what == LoadGlobal) add(g[place]);
        if (what == StoreGlobal) g[place] = value;
        if (what == StoreSame) same[place] = 1;
        if (what == LoadSame) add(same[place]);
        if (what == LoadFlag) add(f[place]);
        if (what == LoadVolatile) add(*static_cast<volatile int*>(flag));
        if (what == StoreVolatile) *static_cast<volatile int*>(flag) = value;
        if (what == Add) atomicAdd(flag, value);
        if (what == Exchange) atomicExch(flag, value);
        if (what == LoadAcquire) add(Flag(*flag).load(cuda::memory_order_acquire));
        if (what == StoreRelease) Flag(*flag).store(value, cuda::memory_order_release);
        if (what == CompareAndSwap) {
            int old = *flag, assumed;
            do {
                assumed = old;
                old = atomicCAS(flag, assumed, value);
            } while (old != assumed);
        }
        if (what == Fence) __threadfence();
        if (what == FenceOfBlock) __threadfence_block();
        if (what == HandExchange) atomicExch(hands + place, 1);
        if (what == HandRelease) Flag(hands[place]).store(1, cuda::memory_order_release);
        if (what == AwaitVolatile) {
            note(actor, Fence, 0);
            __threadfence();
        }
        if (what == Copy) __pipeline_memcpy_async(s + place, g + place, sizeof(int));
        if (what == CopyBound) cuda::memcpy_async(s + place, g + place, sizeof(int), object);
        if (what == Commit) __pipeline_commit();
        if (what == WaitForAll) __pipeline_wait_prior(0);
        if (what == WaitButOne) __pipeline_wait_prior(1);
    }
    if (actor >= 0) sink[actor] = sum;
}

}  // namespace random_kernel
