// Tests that what a kernel leaves in registers changes nothing on the simulated device.
#include <atomic>

#include "simulator/include/cuda_runtime.h"
#include "testing/catch.h"

#if defined(__x86_64__)

namespace {

std::atomic<int> ran;

// As a function does that stores where it has saved registers.
void spoilsRegisters(const void*) {
    ++ran;
    __asm__ volatile(
        "xor %ebx, %ebx\n xor %r12d, %r12d\n xor %r13d, %r13d\n xor %r14d, %r14d\n"
        "xor %r15d, %r15d");
}

}  // namespace

TEST_CASE("No register that a kernel leaves changed is one of the simulated device's") {
    ran = 0;
    const auto nothing = [](const void*, auto*) {};
    const cusim::KernelCall call{"spoilsRegisters", {}, nullptr, &spoilsRegisters, nullptr, 0,
                                 nothing,           0,  nothing};
    CHECK(cusim::run({dim3(2), dim3(64)}, call) == cudaSuccess);
    CHECK(ran == 128);
}

#endif
