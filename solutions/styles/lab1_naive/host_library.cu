// The host uses the C++ library as any program may: strings, containers, streams, time, exceptions.
// The kernel calls by pointers, and functions of CUDA's that give results by pointers.
#include <cuda_runtime.h>

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#define BLOCK_WIDTH 16

typedef float (*Product)(float, float);
__device__ float plain(float a, float b) { return a * b; }
__device__ float byParts(float a, float b) {
    int exponent, quotient;
    float whole, sine, cosine;
    const float mantissa = frexpf(a, &exponent), part = modff(mantissa, &whole);
    sincosf(0.0f, &sine, &cosine);
    const float nothing = remquof(sine, cosine, &quotient);
    return ldexpf((whole + part + nothing) * b, exponent);
}
__device__ Product products[2] = {plain, byParts};

__global__ void matrixMulKernel(const float* M, const float* N, float* P, int Width) {
    int Row = blockIdx.y * blockDim.y + threadIdx.y;
    int Col = blockIdx.x * blockDim.x + threadIdx.x;
    if (Row < Width && Col < Width) {
        const Product multiply = Width % 2 ? products[1] : plain;
        float Pvalue = 0.0f;
        for (int k = 0; k < Width; ++k) {
            Pvalue += multiply(M[Row * Width + k], N[k * Width + Col]);
        }
        P[Row * Width + Col] = Pvalue;
    }
}

inline int calls = 0;
static std::vector<std::string> history;
static std::string lastStep = "none";

struct Log {
    virtual ~Log() = default;
    virtual void line(const std::string& text) { std::clog << text << "\n"; }
};

struct TimedLog : Log {
    void line(const std::string& text) override {
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
        std::ostringstream out;
        out << passed.count() << " s: " << text;
        Log::line(out.str());
    }
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};

template <class Call>
void step(Log& log, const std::string& name, const Call& call) {
    const cudaError_t error = call();
    lastStep = name;
    history.push_back(name + " " + std::to_string(static_cast<int>(error)));
    log.line(history.back());
    if (error != cudaSuccess) throw std::runtime_error(name + ": " + cudaGetErrorString(error));
}

// Frees what it holds, also where an exception passes by.
struct DeviceFloats {
    explicit DeviceFloats(std::size_t count) {
        const cudaError_t error = cudaMalloc(&data, count * sizeof(float));
        if (error != cudaSuccess) throw std::runtime_error(cudaGetErrorString(error));
    }
    ~DeviceFloats() { cudaFree(data); }
    DeviceFloats(const DeviceFloats&) = delete;
    DeviceFloats& operator=(const DeviceFloats&) = delete;
    float* data = nullptr;
};

// A sample of the product, by the definition; some inputs are too large for the eye.
float expected(const float* M, const float* N, int Width, int Row, int Col) {
    std::vector<float> row(M + Row * Width, M + (Row + 1) * Width), column;
    for (int k = 0; k < Width; ++k) column.push_back(N[k * Width + Col]);
    return std::inner_product(row.begin(), row.end(), column.begin(), 0.0f);
}

// Containers that the simulated device has, too, and uses while a kernel runs.
template <class... T>
std::size_t kept() {
    const auto keep = [](auto value) {
        std::vector<decltype(value)> one(3, value);
        one.insert(one.begin(), value);
        for (int i = 0; i < 9; ++i) one.push_back(value);
        std::map<decltype(value), std::string> names{{value, "name"}};
        std::vector<std::vector<decltype(value)>> all;
        all.push_back(one);
        return all.size() * one.size() + names.size();
    };
    return (keep(T()) + ...);
}

void compute(const float* M, const float* N, float* P, int Width) {
    assert(Width > 0);
    const std::shared_ptr<Log> log = std::make_shared<TimedLog>(), other = log;
    const std::size_t count = static_cast<std::size_t>(Width) * Width;
    const std::size_t bytes = count * sizeof(float);
    const DeviceFloats d_M(count), d_N(count), d_P(count);
    step(*log, "copy M", [&] { return cudaMemcpy(d_M.data, M, bytes, cudaMemcpyHostToDevice); });
    step(*log, "copy N", [&] { return cudaMemcpy(d_N.data, N, bytes, cudaMemcpyHostToDevice); });

    const int blocks = static_cast<int>(std::ceil(static_cast<double>(Width) / BLOCK_WIDTH));
    const dim3 dimGrid(blocks, blocks), dimBlock(BLOCK_WIDTH, BLOCK_WIDTH);
    const std::function<void()> launch = [&] {
        matrixMulKernel<<<dimGrid, dimBlock>>>(d_M.data, d_N.data, d_P.data, Width);
    };
    launch();
    step(*log, "launch", [] { return cudaGetLastError(); });
    step(*log, "copy P", [&] { return cudaMemcpy(P, d_P.data, bytes, cudaMemcpyDeviceToHost); });
}

void matrixMul(const float* M, const float* N, float* P, int Width) {
    history.clear();
    try {
        compute(M, N, P, Width);
    } catch (const std::exception& error) {
        std::cerr << error.what() << " (after " << lastStep << ", call " << calls << ")\n";
        std::exit(EXIT_FAILURE);
    }
    ++calls;
    kept<unsigned char, unsigned short, unsigned, std::size_t, std::string>();

    std::map<std::string, int> counts;
    for (const std::string& name : history) ++counts[name.substr(0, name.find(' '))];
    std::sort(history.begin(), history.end());
    std::mt19937 random(static_cast<unsigned>(calls));
    std::uniform_int_distribution<int> any(0, Width - 1);
    const int Row = any(random), Col = any(random);
    const float off = std::fabs(P[Row * Width + Col] - expected(M, N, Width, Row, Col));
    std::cout << counts["copy"] << " copies; P(" << Row << ", " << Col << ") is off by " << off
              << std::endl;
}
