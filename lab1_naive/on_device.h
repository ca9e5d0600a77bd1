// Copies of matrices on the device, and grids that cover them.
#pragma once

#include <cuda_runtime.h>

#include "matrix/matrix.h"

// A copy of a matrix in device memory of its own, for as long as it lives.
class OnDevice {
  public:
    explicit OnDevice(const matrix::Matrix& matrix) : matrix_(matrix) {
        cudaMalloc(&data_, bytes());
        cudaMemcpy(data_, matrix.data(), bytes(), cudaMemcpyHostToDevice);
    }
    ~OnDevice() { cudaFree(data_); }
    OnDevice(const OnDevice&) = delete;
    OnDevice& operator=(const OnDevice&) = delete;

    float* data() const { return data_; }
    matrix::Matrix content() const {
        matrix::Matrix now = matrix_;
        cudaMemcpy(now.data(), data_, bytes(), cudaMemcpyDeviceToHost);
        return now;
    }

  private:
    std::size_t bytes() const { return matrix_.size() * sizeof(float); }

    matrix::Matrix matrix_;
    float* data_ = nullptr;
};

inline unsigned blocksFor(int elements, unsigned threads) {
    return (static_cast<unsigned>(elements) + threads - 1) / threads;
}

// Returns the smallest grid that covers a rows x cols matrix.
inline dim3 gridFor(int rows, int cols, dim3 block) {
    return dim3(blocksFor(cols, block.x), blocksFor(rows, block.y));
}
