// Stands in for NVIDIA's header of the same name, in programs that cusim compiles: cuBLAS for
// floats and doubles. The host computes, by the BLAS that is installed. It sums in another order
// than a card, so that results differ in their last digits. A call has an end before it returns,
// and its arrays are checked as a kernel's.
#ifndef CUSIM_PROGRAM
#error \
    "cublas_v2.h is not available on the simulated device: NVIDIA's libraries need a card, write the kernel yourself, or run on a card with DEVICE=gpu"
#elif !__has_include(<cblas.h>)
#error \
    "cublas_v2.h takes a BLAS on the simulated device: install libblas-dev or libopenblas-dev, or run on a card"
#elif !defined(CUBLAS_API_H_)
#define CUBLAS_API_H_  // as NVIDIA's, for which programs ask
#define CUBLAS_V2_H_

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <tuple>
#include <vector>

#include "cuda_runtime.h"
#include "cusim/library_call.h"

#define CUBLAS_VERSION 130000
#define CUBLAS_VER_MAJOR 13
#define CUBLAS_VER_MINOR 0
#define CUBLAS_VER_PATCH 0

#define CUSIM_STATUSES(STATUS)                                                               \
    STATUS(SUCCESS, 0, "success")                                                            \
    STATUS(NOT_INITIALIZED, 1, "the library was not initialized")                            \
    STATUS(ALLOC_FAILED, 3, "the resource allocation failed")                                \
    STATUS(INVALID_VALUE, 7, "an unsupported value or parameter was passed to the function") \
    STATUS(ARCH_MISMATCH, 8,                                                                 \
           "the function requires an architectural feature absent from the device")          \
    STATUS(MAPPING_ERROR, 11, "an access to GPU memory space failed")                        \
    STATUS(EXECUTION_FAILED, 13, "the function failed to launch on the GPU")                 \
    STATUS(INTERNAL_ERROR, 14, "an internal operation failed")                               \
    STATUS(NOT_SUPPORTED, 15, "the requested functionality is not supported")                \
    STATUS(LICENSE_ERROR, 16, "the license check failed")
enum cublasStatus_t {
#define CUSIM_STATUS(name, number, text) CUBLAS_STATUS_##name = number,
    CUSIM_STATUSES(CUSIM_STATUS)
#undef CUSIM_STATUS
};
inline const char* cublasGetStatusName(cublasStatus_t status) {
#define CUSIM_STATUS(name, number, text) status == number ? "CUBLAS_STATUS_" #name:
    return CUSIM_STATUSES(CUSIM_STATUS) "unrecognized status";
#undef CUSIM_STATUS
}
inline const char* cublasGetStatusString(cublasStatus_t status) {
#define CUSIM_STATUS(name, number, text) status == number ? text:
    return CUSIM_STATUSES(CUSIM_STATUS) "unrecognized status";
#undef CUSIM_STATUS
}
#undef CUSIM_STATUSES

enum cublasOperation_t {
    CUBLAS_OP_N = 0,
    CUBLAS_OP_T = 1,
    CUBLAS_OP_C = 2,
    CUBLAS_OP_HERMITAN = 2
};
enum cublasPointerMode_t { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 };
enum cublasMath_t {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
};

struct cublasContext {
    cudaStream_t stream = nullptr;
    cublasPointerMode_t pointerMode = CUBLAS_POINTER_MODE_HOST;
    cublasMath_t mathMode = CUBLAS_DEFAULT_MATH;
    bool isDestroyed = false;  // its memory is kept, so that a later call finds this
};
using cublasHandle_t = cublasContext*;

namespace cusim {

inline bool isInitialized(cublasHandle_t handle) { return handle && !handle->isDestroyed; }

// One call of cuBLAS's. After its first error it does nothing more.
class Blas {
  public:
    Blas(cublasHandle_t handle, const char* function, const Where& at)
        : handle_(handle), function_(function), at_(at) {
        unsigned flags = 0;
        if (isInitialized(handle))
            keep(cudaStreamGetFlags(handle->stream, &flags));
        else
            status_ = CUBLAS_STATUS_NOT_INITIALIZED;
    }
    cublasStatus_t status() const { return status_; }
    Blas& require(bool holds, const char* otherwise) {
        if (isGood() && !holds) {
            reportInvalidArgument(function_, otherwise, at_);
            status_ = CUBLAS_STATUS_INVALID_VALUE;
        }
        return *this;
    }

    // Read and write a scalar in the memory that the pointer mode selects.
    template <class T>
    T number(const char* name, const T* pointer) {
        T value = 0;
        pass({name, pointer, sizeof(T), 1, 1, 1, Use::Read}, &value, isOnDevice());
        return value;
    }
    template <class T>
    cublasStatus_t give(T* pointer, T value) {
        pass({"result", pointer, sizeof(T), 1, 1, 1, Use::Write}, &value, isOnDevice());
        return status_;
    }
    // Returns the pointers in an array of the device.
    template <class T>
    std::vector<T*> pointers(const char* name, T* const* array, int count) {
        std::vector<T*> all(std::max(count, 0));
        if (count > 0)
            pass({name, array, sizeof(T*), all.size(), 1, 0, Use::Read}, all.data(), true);
        return all;
    }

    // Add an operand of the next run.
    template <class T>
    Blas& vector(const char* name, const T* x, int n, int increment, Use use) {
        const std::size_t length = std::max(n, 0), apart = std::abs(increment);
        operands_.push_back({name, x, sizeof(T), 1, length, apart, use});
        return *this;
    }
    template <class T>
    Blas& matrix(const char* name, const T* a, int m, int n, int leading, Use use) {
        operands_.push_back(
            {name, a, sizeof(T), std::size_t(m), std::size_t(n), std::size_t(leading), use});
        return require(m >= 0 && n >= 0, "a number of rows or columns is negative")
            .require(leading >= std::max(m, 1),
                     "a leading dimension is less than the length of a column");
    }
    template <class Call>
    cublasStatus_t run(Call call) {
        if (isGood()) keep(callLibrary(function_, operands_, call, at_, handle_->stream));
        operands_.clear();
        return status_;
    }

  private:
    bool isGood() const { return status_ == CUBLAS_STATUS_SUCCESS; }
    bool isOnDevice() const {
        return isGood() && handle_->pointerMode == CUBLAS_POINTER_MODE_DEVICE;
    }
    void pass(const Operand& operand, void* own, bool onDevice) {
        if (isGood()) keep(passToLibrary(function_, operand, own, onDevice, at_, handle_->stream));
    }
    void keep(cudaError_t error) {
        if (error != cudaSuccess)
            status_ = error == cudaErrorInvalidValue ? CUBLAS_STATUS_INVALID_VALUE
                                                     : CUBLAS_STATUS_EXECUTION_FAILED;
    }

    cublasHandle_t handle_;
    const char* function_;
    Where at_;
    cublasStatus_t status_ = CUBLAS_STATUS_SUCCESS;
    std::vector<Operand> operands_;
};

inline Use readIf(bool isRead) { return isRead ? Use::Read : Use::None; }
inline Use writeAndReadIf(bool isRead) { return isRead ? Use::Both : Use::Write; }
inline CBLAS_TRANSPOSE blasOperation(cublasOperation_t operation) {
    return operation == CUBLAS_OP_N ? CblasNoTrans : CblasTrans;
}

// Long vectors are summed by parts: a card has many sums of few numbers each, where one sum of
// millions of floats would lose what is small.
inline constexpr std::ptrdiff_t kBlasPart = 1024;

// Returns the address at which the BLAS begin with a vector's elements from `first` on.
template <class T>
const T* partOf(const T* x, int n, int increment, std::ptrdiff_t first, int length) {
    return increment < 0 ? x - (n - first - length) * increment : x + first * increment;
}

// Copies `count` pieces of `bytes`, which begin so many bytes apart.
inline cublasStatus_t copyForBlas(const char* function, bool isValid, void* target,
                                  std::size_t targetApart, const void* source,
                                  std::size_t sourceApart, std::size_t bytes, int count,
                                  cudaMemcpyKind kind, const Where& at) {
    if (!isValid) {
        reportInvalidArgument(function, "a size, increment or leading dimension is too small", at);
        return CUBLAS_STATUS_INVALID_VALUE;
    }
    const bool together = bytes == targetApart && bytes == sourceApart;
    const cudaError_t error =
        together ? cudaMemcpy(target, source, bytes * count, kind, at)
                 : cudaMemcpy2D(target, targetApart, source, sourceApart, bytes, count, kind, at);
    return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

}  // namespace cusim

inline cublasStatus_t cublasCreate(cublasHandle_t* handle) {
    *handle = new cublasContext;
    return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasDestroy(cublasHandle_t handle) {
    if (!cusim::isInitialized(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
    handle->isDestroyed = true;
    cusim::waitForDevice();
    return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasGetVersion(cublasHandle_t, int* version) {
    *version = CUBLAS_VERSION;
    return CUBLAS_STATUS_SUCCESS;
}

#define CUSIM_SETTING(Name, type, member)                                        \
    inline cublasStatus_t cublasSet##Name(cublasHandle_t handle, type value) {   \
        if (!cusim::isInitialized(handle)) return CUBLAS_STATUS_NOT_INITIALIZED; \
        handle->member = value;                                                  \
        return CUBLAS_STATUS_SUCCESS;                                            \
    }                                                                            \
    inline cublasStatus_t cublasGet##Name(cublasHandle_t handle, type* value) {  \
        if (!cusim::isInitialized(handle)) return CUBLAS_STATUS_NOT_INITIALIZED; \
        *value = handle->member;                                                 \
        return CUBLAS_STATUS_SUCCESS;                                            \
    }
CUSIM_SETTING(Stream, cudaStream_t, stream)
CUSIM_SETTING(PointerMode, cublasPointerMode_t, pointerMode)
CUSIM_SETTING(MathMode, cublasMath_t, mathMode)
#undef CUSIM_SETTING

// The last parameter but one is the stream of those whose name ends in Async.
#define CUSIM_VECTOR(name, kind, ...)                                                             \
    inline cublasStatus_t name(int n, int size, const void* x, int incx, void* y,                 \
                               int incy __VA_ARGS__, cusim::Where at = cusim::Where::here()) {    \
        return cusim::copyForBlas(#name, n >= 0 && size > 0 && incx > 0 && incy > 0, y,           \
                                  std::size_t(incy) * size, x, std::size_t(incx) * size, size, n, \
                                  kind, at);                                                      \
    }
#define CUSIM_MATRIX(name, kind, ...)                                                           \
    inline cublasStatus_t name(int m, int n, int size, const void* a, int lda, void* b,         \
                               int ldb __VA_ARGS__, cusim::Where at = cusim::Where::here()) {   \
        const bool isValid = m >= 0 && n >= 0 && size > 0 && lda > 0 && ldb > 0;                \
        return cusim::copyForBlas(#name, isValid, b, std::size_t(ldb) * size, a,                \
                                  std::size_t(lda) * size, std::size_t(m) * size, n, kind, at); \
    }
CUSIM_VECTOR(cublasSetVector, cudaMemcpyHostToDevice)
CUSIM_VECTOR(cublasGetVector, cudaMemcpyDeviceToHost)
CUSIM_VECTOR(cublasSetVectorAsync, cudaMemcpyHostToDevice, , cudaStream_t)
CUSIM_VECTOR(cublasGetVectorAsync, cudaMemcpyDeviceToHost, , cudaStream_t)
CUSIM_MATRIX(cublasSetMatrix, cudaMemcpyHostToDevice)
CUSIM_MATRIX(cublasGetMatrix, cudaMemcpyDeviceToHost)
CUSIM_MATRIX(cublasSetMatrixAsync, cudaMemcpyHostToDevice, , cudaStream_t)
CUSIM_MATRIX(cublasGetMatrixAsync, cudaMemcpyDeviceToHost, , cudaStream_t)
#undef CUSIM_VECTOR
#undef CUSIM_MATRIX

#define CUSIM_NUMBER float
#define CUSIM_CUBLAS(function) cublasS##function
#define CUSIM_BLAS(function) cblas_s##function
#define CUSIM_CUBLAS_INDEX(function) cublasIs##function
#define CUSIM_BLAS_INDEX(function) cblas_is##function
#include "cusim/blas_functions.def"
#define CUSIM_NUMBER double
#define CUSIM_CUBLAS(function) cublasD##function
#define CUSIM_BLAS(function) cblas_d##function
#define CUSIM_CUBLAS_INDEX(function) cublasId##function
#define CUSIM_BLAS_INDEX(function) cblas_id##function
#include "cusim/blas_functions.def"

#endif
