// Stands in for NVIDIA's header of the same name: the C interface of asynchronous copies.
#pragma once

#include "cuda_runtime.h"
#include "cusim/async_copy.h"

// `size` is 4, 8 or 16 bytes, to which both addresses are aligned.
__attribute__((always_inline)) inline void __pipeline_memcpy_async(void* __restrict target,
                                                                   const void* __restrict source,
                                                                   std::size_t size,
                                                                   std::size_t zfill = 0) {
    cusim::startCopy(target, source, size, zfill);
}
inline void __pipeline_commit() { cusim::commitCopies(); }
inline void __pipeline_wait_prior(std::size_t prior) { cusim::waitForCopies(prior); }
