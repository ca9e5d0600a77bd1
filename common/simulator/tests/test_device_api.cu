// Tests what programs ask of the device and of memory beside the labs' own calls.
#include <cstring>
#include <string>
#include <vector>

#include "chosen_options.h"
#include "on_device.h"

namespace {

__global__ void nothing() {}
__global__ void takeHalf(void** got, int bytes) {
    got[threadIdx.x] = malloc(static_cast<std::size_t>(bytes));
}

#if !defined(__DRIVER_TYPES_H__) || !defined(__CUDA_RUNTIME_H__)
#error "helper_cuda.h of the CUDA samples declares its checks only behind these names"
#endif

}  // namespace

DEVICE_TEST("an error has CUDA's name and text, and an unknown one is called unrecognized") {
    using Text = std::string;
    CHECK(Text(cudaGetErrorName(cudaErrorCooperativeLaunchTooLarge)) ==
          "cudaErrorCooperativeLaunchTooLarge");
    CHECK(Text(cudaGetErrorString(cudaErrorCooperativeLaunchTooLarge)) ==
          "too many blocks in cooperative launch");
    CHECK(cudaErrorCooperativeLaunchTooLarge == 720);
    CHECK(Text(cudaGetErrorString(static_cast<cudaError_t>(12345))) == "unrecognized error code");
}

DEVICE_TEST(
    "the samples' choice of a device finds its clock, its compute mode and its properties") {
    int mode = -1, clock = 0, dimension = 0;
    CHECK(cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, 0) == cudaSuccess);
    CHECK(mode == cudaComputeModeDefault);
    CHECK(mode != cudaComputeModeProhibited);
    CHECK(cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, 0) == cudaSuccess);
    CHECK(cudaDeviceGetAttribute(&dimension, cudaDevAttrMaxBlockDimZ, 0) == cudaSuccess);
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, 0) == cudaSuccess);
    CHECK(clock == properties.clockRate);
    CHECK(properties.clockRate == 1530000);
    CHECK(dimension == 64);
    CHECK(properties.maxTexture2D[0] == 0);
}

DEVICE_TEST("a limit keeps what is set, and that of the heap holds for malloc in kernels") {
    std::size_t bytes = 0;
    CHECK(cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize) == cudaSuccess);
    CHECK(bytes == 8u << 20);
    CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1000) == cudaSuccess);
    CHECK(cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize) == cudaSuccess);
    CHECK(bytes == 1000);
    const std::vector<void*> got = resultOf<void*>(takeHalf, 3, 1, 3, 500);
    CHECK(got[0] != nullptr);
    CHECK(got[1] != nullptr);
    CHECK(got[2] == nullptr);
    CHECK(cudaDeviceSetLimit(static_cast<cudaLimit>(99), 1) == cudaErrorUnsupportedLimit);
}

DEVICE_TEST("the only device has no peers and answers to its bus id") {
    int can = -1, device = -1;
    char id[32];
    CHECK(cudaDeviceCanAccessPeer(&can, 0, 1) == cudaErrorInvalidDevice);
    CHECK(cudaDeviceCanAccessPeer(&can, 0, 0) == cudaSuccess);
    CHECK(can == 0);
    CHECK(cudaDeviceEnablePeerAccess(1, 0) == cudaErrorInvalidDevice);
    CHECK(cudaDeviceDisablePeerAccess(1) == cudaErrorPeerAccessNotEnabled);
    CHECK(cudaDeviceGetPCIBusId(id, sizeof id, 0) == cudaSuccess);
    CHECK(cudaDeviceGetByPCIBusId(&device, id) == cudaSuccess);
    CHECK(device == 0);
    CHECK(cudaDeviceGetByPCIBusId(&device, "0000:99:00.0") == cudaErrorInvalidDevice);
}

DEVICE_TEST("the best block size fills a multiprocessor, also where shared memory grows with it") {
    int grid = 0, block = 0;
    CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, nothing) == cudaSuccess);
    CHECK(block == 1024);
    CHECK(grid == 2 * 80);
    CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, nothing, 0, 100) == cudaSuccess);
    CHECK(block == 64);  // 32 blocks of 64 threads, and no more of 100
    const ChosenOptions chosen;
    cusim::useProfile("device-d");  // 1,536 threads a multiprocessor
    CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, nothing) == cudaSuccess);
    CHECK(block == 768);
    const auto bytes = [](int size) { return size * 64; };
    CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, nothing, bytes) ==
          cudaSuccess);
    CHECK(block == 768);
}

DEVICE_TEST("a pointer tells which memory it points to") {
    cudaPointerAttributes attributes{};
    int local = 0;
    const OnDevice<int> device(4);
    CHECK(cudaPointerGetAttributes(&attributes, &device[1]) == cudaSuccess);
    CHECK(attributes.type == cudaMemoryTypeDevice);
    CHECK(attributes.devicePointer == &device[1]);
    CHECK(attributes.hostPointer == nullptr);
    CHECK(cudaPointerGetAttributes(&attributes, &local) == cudaSuccess);
    CHECK(attributes.type == cudaMemoryTypeUnregistered);
    int* managed = nullptr;
    cudaMallocManaged(&managed, 16);
    CHECK(cudaPointerGetAttributes(&attributes, managed) == cudaSuccess);
    CHECK(attributes.type == cudaMemoryTypeManaged);
    CHECK(attributes.hostPointer == managed);
    cudaFree(managed);
}

DEVICE_TEST("a box of memory is filled, and a part of it copied out, row by row") {
    cudaPitchedPtr box{};
    REQUIRE(cudaMalloc3D(&box, make_cudaExtent(8, 3, 2)) == cudaSuccess);
    CHECK(cudaMemset3D(box, 7, make_cudaExtent(8, 3, 2)) == cudaSuccess);
    CHECK(cudaMemset2D(static_cast<char*>(box.ptr) + 4 * box.pitch, box.pitch, 9, 8, 1) ==
          cudaSuccess);
    char out[2][2][4] = {};
    cudaMemcpy3DParms parameters{};
    parameters.srcPtr = box;
    parameters.srcPos = make_cudaPos(2, 1, 0);
    parameters.dstPtr = make_cudaPitchedPtr(out, 4, 4, 2);
    parameters.extent = make_cudaExtent(4, 2, 2);
    parameters.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&parameters) == cudaSuccess);
    CHECK(out[0][0][0] == 7);
    CHECK(out[1][0][3] == 9);  // row 1 of slice 1
    CHECK(out[1][1][0] == 7);
    cudaFree(box.ptr);
}

DEVICE_TEST("a stream keeps its flags and priority, and calls the host's function in its turn") {
    cudaStream_t stream = nullptr;
    CHECK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -9) == cudaSuccess);
    unsigned flags = 9;
    int priority = 9, called = 0;
    CHECK(cudaStreamGetFlags(stream, &flags) == cudaSuccess);
    CHECK(flags == cudaStreamNonBlocking);
    CHECK(cudaStreamGetPriority(stream, &priority) == cudaSuccess);
    CHECK(priority == -5);  // the greatest there is
    CHECK(cudaLaunchHostFunc(
              stream, [](void* data) { ++*static_cast<int*>(data); }, &called) == cudaSuccess);
    CHECK(called == 1);
    CHECK(cudaStreamDestroy(stream) == cudaSuccess);
    CHECK(cudaLaunchHostFunc(
              stream, [](void*) {}, nullptr) == cudaErrorInvalidResourceHandle);
}
