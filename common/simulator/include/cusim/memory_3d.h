// Boxes of memory: `width` bytes a row, `height` rows a slice, `depth` slices (CUDA Runtime API,
// "Memory Management"). Arrays of textures are not simulated, so a box lies at a pitched pointer.
#pragma once

#include "cusim/memory_api.h"

struct cudaExtent {
    std::size_t width, height, depth;
};
struct cudaPos {
    std::size_t x, y, z;
};
struct cudaPitchedPtr {
    void* ptr;
    std::size_t pitch;         // bytes from row to row
    std::size_t xsize, ysize;  // ysize: rows from slice to slice
};
struct cudaMemcpy3DParms {
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    cudaExtent extent;
    cudaMemcpyKind kind;
};

inline cudaExtent make_cudaExtent(std::size_t width, std::size_t height, std::size_t depth) {
    return {width, height, depth};
}
inline cudaPos make_cudaPos(std::size_t x, std::size_t y, std::size_t z) { return {x, y, z}; }
inline cudaPitchedPtr make_cudaPitchedPtr(void* pointer, std::size_t pitch, std::size_t width,
                                          std::size_t height) {
    return {pointer, pitch, width, height};
}

inline cudaError_t cudaMalloc3D(cudaPitchedPtr* box, cudaExtent extent,
                                cusim::Where at = cusim::Where::here()) {
    box->xsize = extent.width;
    box->ysize = extent.height;
    return cudaMallocPitch(&box->ptr, &box->pitch, extent.width, extent.height * extent.depth, at);
}

namespace cusim {

// Returns a pointer to the first byte of a position of a box.
inline char* placeIn(const cudaPitchedPtr& box, const cudaPos& at) {
    return static_cast<char*>(box.ptr) + (at.z * box.ysize + at.y) * box.pitch + at.x;
}

}  // namespace cusim

// Copies or fills slice by slice, so that reports and checks are those of cudaMemcpy2D.
inline cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* box, cudaStream_t stream = nullptr,
                                     cusim::Where at = cusim::Where::here()) {
    for (std::size_t slice = 0; slice < box->extent.depth; ++slice) {
        cudaPos to = box->dstPos, from = box->srcPos;
        to.z += slice;
        from.z += slice;
        if (const cudaError_t error =
                cudaMemcpy2DAsync(cusim::placeIn(box->dstPtr, to), box->dstPtr.pitch,
                                  cusim::placeIn(box->srcPtr, from), box->srcPtr.pitch,
                                  box->extent.width, box->extent.height, box->kind, stream, at))
            return error;
    }
    return cudaSuccess;
}
inline cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* box,
                                cusim::Where at = cusim::Where::here()) {
    return cudaMemcpy3DAsync(box, nullptr, at);
}
inline cudaError_t cudaMemset3DAsync(cudaPitchedPtr box, int value, cudaExtent extent,
                                     cudaStream_t stream = nullptr,
                                     cusim::Where at = cusim::Where::here()) {
    for (std::size_t slice = 0; slice < extent.depth; ++slice)
        if (const cudaError_t error =
                cudaMemset2DAsync(cusim::placeIn(box, {0, 0, slice}), box.pitch, value,
                                  extent.width, extent.height, stream, at))
            return error;
    return cudaSuccess;
}
inline cudaError_t cudaMemset3D(cudaPitchedPtr box, int value, cudaExtent extent,
                                cusim::Where at = cusim::Where::here()) {
    return cudaMemset3DAsync(box, value, extent, nullptr, at);
}
