#include "bench/card.h"

#include "bench/cuda_check.h"

namespace bench {

namespace {

// Returns the float32 multiply-adds that an SM of a compute capability starts in a cycle (source:
// CUDA Programming Guide, arithmetic instructions).
int lanes(int major, int minor) {
    const bool half = major == 7 || (major == 6 && minor == 0) || (major == 8 && minor == 0);
    return half ? 64 : 128;
}

double attribute(cudaDeviceAttr which, int device) {
    int value = 0;
    CUDA_CHECK(cudaDeviceGetAttribute(&value, which, device));
    return value;
}

std::string version(int number) {
    return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

}  // namespace

Card thisCard(const std::string& driver) {
    int device = 0, runtime = 0;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaRuntimeGetVersion(&runtime));
    cudaDeviceProp properties;
    CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
    Card card;
    card.name = properties.name;
    card.driver = driver;
    card.cuda = version(runtime);
    card.sms = properties.multiProcessorCount;
    card.gigahertz = attribute(cudaDevAttrClockRate, device) * 1e-6;
    card.peakGigaflops =
        2.0 * lanes(properties.major, properties.minor) * card.sms * card.gigahertz;
    // Memory transfers twice in a cycle of its clock.
    card.memoryGigabytes = 2.0 * attribute(cudaDevAttrMemoryClockRate, device) * 1e-6 *
                           attribute(cudaDevAttrGlobalMemoryBusWidth, device) / 8;
    card.l2Bytes = properties.l2CacheSize;
    return card;
}

}  // namespace bench
