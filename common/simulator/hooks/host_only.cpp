// Replaces a host function that a kernel calls by a pointer (see verdict/gate/host_only.py),
// because nvcc would generate no device code for it.
#include <cstdio>
#include <cstdlib>

#include "simulator/engine/block_runner.h"
#include "simulator/findings/source_lines.h"

extern "C" [[noreturn]] void cusimHostOnly(const char* name, const void* place) {
    cusimWorker->runner->fail(
        {"host-function",
         words::joined("the kernel calls ", name, ", a host function, by a pointer"),
         cusim::placeOf(place), "Call functions that are declared with __device__."});
    std::abort();
}
