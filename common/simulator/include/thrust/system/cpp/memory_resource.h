// The memory of thrust::device_vector and of thrust::universal_vector is the simulated device's.
#pragma once

#include <thrust/mr/fancy_pointer_resource.h>
#include <thrust/system/cpp/pointer.h>

#include <new>

#include "cusim/memory_api.h"

namespace cusim {

// Throws std::bad_alloc if too little memory is left.
template <MemoryKind kind>
class MemoryResource final : public thrust::mr::memory_resource<> {
  public:
    void* do_allocate(std::size_t bytes, std::size_t) override {
        void* memory = nullptr;
        if (cusim::allocate(&memory, bytes, kind, {}) != cudaSuccess) throw std::bad_alloc();
        return memory;
    }
    void do_deallocate(void* memory, std::size_t, std::size_t) override { cudaFree(memory, {}); }
};

}  // namespace cusim

namespace thrust::system::cpp {

using memory_resource =
    mr::fancy_pointer_resource<cusim::MemoryResource<cusim::MemoryKind::Device>, pointer<void>>;
using universal_memory_resource =
    mr::fancy_pointer_resource<cusim::MemoryResource<cusim::MemoryKind::Managed>,
                               universal_pointer<void>>;
using universal_host_pinned_memory_resource = universal_memory_resource;

}  // namespace thrust::system::cpp
