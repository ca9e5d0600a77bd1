// Arrays on the device that their owner frees, and launches on them, for tests about something
// else.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "simulator/include/cuda_runtime.h"

template <class T>
class OnDevice {
  public:
    explicit OnDevice(std::size_t count) : count_(count) { cudaMalloc(&data_, count * sizeof(T)); }
    explicit OnDevice(const std::vector<T>& values) : OnDevice(values.size()) {
        cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice);
    }
    OnDevice(std::size_t count, T value) : OnDevice(std::vector<T>(count, value)) {}
    ~OnDevice() { cudaFree(data_); }
    OnDevice(const OnDevice&) = delete;
    OnDevice& operator=(const OnDevice&) = delete;

    operator T*() const { return data_; }
    std::vector<T> host() const {
        std::vector<T> values(count_);
        cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost);
        return values;
    }

  private:
    std::size_t count_;
    T* data_ = nullptr;
};

// Launches the kernel on `count` zeros, and returns what it leaves there.
template <class T, class... More>
std::vector<T> resultOf(void (*kernel)(T*, More...), std::size_t count, dim3 grid, dim3 block,
                        std::common_type_t<More>... more) {
    const OnDevice<T> y(count, T{});
    T* pointer = y;
    void* arguments[] = {&pointer, &more...};
    cudaLaunchKernel(kernel, grid, block, arguments);
    return y.host();
}

// Launches by name, for tests that go through all of them.
using LaunchTable = std::map<std::string, std::function<void()>>;
