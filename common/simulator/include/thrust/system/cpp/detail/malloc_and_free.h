// Gives thrust::device_malloc and Thrust's temporary arrays the simulated device's memory.
#pragma once

#include <thrust/system/cpp/detail/execution_policy.h>
#include_next <thrust/system/cpp/detail/malloc_and_free.h>
// Programs have these two of Thrust's own headers for a device.
#include <thrust/system_error.h>

#include <iostream>

#include "cusim/memory_api.h"

namespace thrust::system::cpp::detail {

template <class Policy>
void* malloc(execution_policy<Policy>&, std::size_t bytes) {
    void* memory = nullptr;
    cusim::allocate(&memory, bytes, cusim::MemoryKind::Device, {});
    return memory;
}
template <class Policy, class Pointer>
void free(execution_policy<Policy>&, Pointer memory) {
    cudaFree(raw_pointer_cast(memory), {});
}

}  // namespace thrust::system::cpp::detail
