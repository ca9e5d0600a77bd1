// new, malloc and their counterparts, which the build renames in a .cu file (see redirected.syms).
// In a kernel they use the heap of the device. In host code they use that of the host, and note its
// blocks, so that a copy past the end of one is found.
#include <cstdlib>
#include <new>

#include "simulator/engine/block_runner.h"
#include "simulator/engine/host_blocks.h"
#include "simulator/findings/source_lines.h"
#include "simulator/memory/device_heap.h"

namespace {

void* taken(std::size_t bytes, const void* place) {
    return cusim::DeviceHeap::instance().take(bytes, place);
}

void give(void* memory, const void* place) {
    if (!memory) return;
    const auto block = cusim::DeviceHeap::instance().give(memory, place);
    if (block && !block->freedAt) return;
    if (!block)
        cusimWorker->runner->fail(
            {"invalid-free",
             "the kernel frees memory that does not come from new or malloc in a kernel",
             cusim::placeOf(place),
             "Free the pointer that new or malloc gave in a kernel, unchanged. Memory from "
             "cudaMalloc is freed by the host."});
    const cusim::Place first = cusim::placeOf(block->freedAt);
    cusim::Finding finding("double-free", "the kernel frees the same memory twice",
                           cusim::placeOf(place), "Free memory from new or malloc once.",
                           {"first freed at " + cusim::text(first)});
    finding.others = {first};
    cusimWorker->runner->fail(finding);
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming,cppcoreguidelines-no-malloc)
#define CUSIM_TAKE(name, host)                                         \
    void* name {                                                       \
        return cusimWorker ? taken(bytes, __builtin_return_address(0)) \
                           : cusim::noteHostBlock(host, bytes);        \
    }
#define CUSIM_GIVE(name, host)                         \
    void name {                                        \
        if (cusimWorker)                               \
            give(memory, __builtin_return_address(0)); \
        else                                           \
            cusim::forgetHostBlock(memory), host;      \
    }

extern "C" {

CUSIM_TAKE(cusimMemAllocate(std::size_t bytes), std::malloc(bytes))
CUSIM_TAKE(cusimMemNew(std::size_t bytes), ::operator new(bytes))
CUSIM_TAKE(cusimMemNewArray(std::size_t bytes), ::operator new[](bytes))
CUSIM_TAKE(cusimMemNewOrNull(std::size_t bytes, const std::nothrow_t& tag),
           ::operator new(bytes, tag))
CUSIM_TAKE(cusimMemNewArrayOrNull(std::size_t bytes, const std::nothrow_t& tag),
           ::operator new[](bytes, tag))
// Only host code calls these two.
void* cusimMemAllocateZeros(std::size_t count, std::size_t bytes) {
    return cusim::noteHostBlock(std::calloc(count, bytes), count * bytes);
}
void* cusimMemReallocate(void* memory, std::size_t bytes) {
    cusim::forgetHostBlock(memory);
    return cusim::noteHostBlock(std::realloc(memory, bytes), bytes);
}
CUSIM_GIVE(cusimMemFree(void* memory), std::free(memory))
CUSIM_GIVE(cusimMemDelete(void* memory), ::operator delete(memory))
CUSIM_GIVE(cusimMemDeleteArray(void* memory), ::operator delete[](memory))
// clang++ offers no delete that takes a size.
CUSIM_GIVE(cusimMemDeleteSized(void* memory, std::size_t), ::operator delete(memory))
CUSIM_GIVE(cusimMemDeleteArraySized(void* memory, std::size_t), ::operator delete[](memory))

}  // extern "C"
// NOLINTEND(readability-identifier-naming,cppcoreguidelines-no-malloc)
