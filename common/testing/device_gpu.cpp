#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "testing/device.h"

namespace device {

Outcome run(const std::function<void()>& studentCode) {
    Outcome outcome;
    cudaGetLastError();
    try {
        studentCode();
    } catch (const std::exception& error) {
        outcome.how = Outcome::Threw;
        outcome.message = error.what();
    }
    const cudaError_t pending = cudaGetLastError();
    const cudaError_t error = cudaDeviceSynchronize();
    const cudaError_t first = pending != cudaSuccess ? pending : error;
    if (first != cudaSuccess)
        outcome.problems.push_back({cudaGetErrorName(first), std::string("the device reports: ") +
                                                                 cudaGetErrorString(first) + "\n"});
    // A kernel that failed leaves the device unusable to this process: nothing after it counts.
    if (error != cudaSuccess) {
        std::fprintf(stderr,
                     "the device reports: %s; the tests end here.\nRun the same tests without "
                     "DEVICE=gpu: the simulated device names the line.\n",
                     cudaGetErrorString(error));
        std::exit(1);
    }
    return outcome;
}

std::string name() {
    cudaDeviceProp properties{};
    if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return "no device";
    return properties.name;
}

}  // namespace device
