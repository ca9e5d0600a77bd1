// An array on the device that its owner frees, for tests about something else.
#pragma once

#include <cstddef>
#include <vector>

#include "simulator/include/cusim/memory_api.h"

template <class T>
class OnDevice {
  public:
    explicit OnDevice(std::size_t count) : count_(count) { cudaMalloc(&data_, count * sizeof(T)); }
    explicit OnDevice(const std::vector<T>& values) : OnDevice(values.size()) {
        cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice);
    }
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

inline std::vector<int> zeros(std::size_t count) { return std::vector<int>(count, 0); }
