// Host code with thread-local variables of its own, beside a kernel with shared memory.
#include <cuda_runtime.h>

#include <string>

#include "kernels_host.h"

namespace host_faults {
namespace {

__global__ void sharedKernel() {
    __shared__ int tile[32];
    tile[threadIdx.x] = 1;
}

struct Counter {
    static thread_local int count;
};
thread_local int Counter::count = 3;
thread_local std::string outside = "a text that is too long for a string itself";

}  // namespace

bool threadLocalsLastThroughALaunch() {
    static thread_local int inside = 5;
    thread_local std::string text = "another text that is too long for a string itself";
    outside += "!";
    sharedKernel<<<2, 32>>>();
    cudaGetLastError();
    return inside == 5 && Counter::count == 3 && text.substr(0, 12) == "another text" &&
           outside.substr(0, 6) == "a text";
}

}  // namespace host_faults
