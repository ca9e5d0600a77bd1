// Tests the simulated device's counts, to the last access.
#include <string>
#include <vector>

#include "chosen_options.h"
#include "on_device.h"

namespace {

constexpr int kTile = 4;

__constant__ float filter[3];

__global__ void naiveKernel(const float* M, const float* N, float* P, int Width) {
    int Row = blockIdx.y * blockDim.y + threadIdx.y;
    int Col = blockIdx.x * blockDim.x + threadIdx.x;
    float Pvalue = 0.0f;
    for (int k = 0; k < Width; ++k) Pvalue += M[Row * Width + k] * N[k * Width + Col];
    P[Row * Width + Col] = Pvalue;
}

__global__ void tiledKernel(const float* M, const float* N, float* P, int Width) {
    __shared__ float Mds[kTile][kTile];
    __shared__ float Nds[kTile][kTile];
    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = blockIdx.y * kTile + ty, Col = blockIdx.x * kTile + tx;
    float Pvalue = 0.0f;
    for (int ph = 0; ph < Width / kTile; ++ph) {
        Mds[ty][tx] = M[Row * Width + ph * kTile + tx];
        Nds[ty][tx] = N[(ph * kTile + ty) * Width + Col];
        __syncthreads();
        for (int k = 0; k < kTile; ++k) Pvalue += Mds[ty][k] * Nds[k][tx];
        __syncthreads();
    }
    P[Row * Width + Col] = Pvalue;
}

__global__ void vectorCopyKernel(const float4* x, float4* y) { y[threadIdx.x] = x[threadIdx.x]; }

__global__ void addToItselfKernel(const float* x, float* y) {
    y[threadIdx.x] = x[threadIdx.x] + x[threadIdx.x];
}

__global__ void accumulateKernel(float* y, float v, int rounds) {
    for (int k = 0; k < rounds; ++k) y[threadIdx.x] += v;
}

__global__ void updateKernel(int* sum, int* most) {
    atomicAdd(sum, 1);
    atomicMax(most, static_cast<int>(threadIdx.x));
    atomicCAS(&most[1], 0, 1);
}

__global__ void localArrayKernel(int* y) {
    int last[4];
    for (int i = 0; i < 4; ++i) last[i] = i;
    y[threadIdx.x] = last[threadIdx.x % 4];
}

__device__ __noinline__ void fill(int* values) {
    for (int i = 0; i < 4; ++i) values[i] = i;
}

__global__ void escapingArrayKernel(int* y) {
    int last[4];
    fill(last);
    y[threadIdx.x] = last[threadIdx.x % 4];
}

__global__ void builtinsKernel(unsigned* y) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = gridDim.x + gridDim.y + blockDim.z + threadIdx.y + blockIdx.z + warpSize;
}

__global__ void constantFilterKernel(float* y) {
    y[threadIdx.x] = filter[0] + filter[1] + filter[2];
}

__global__ void sharedAtomicsKernel(int* y) {
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, 2);
    __syncthreads();
    if (threadIdx.x == 0) *y = sum;
}

struct Particle {
    float x, y, z;
};

__global__ void structCopyKernel(const Particle* from, Particle* to) {
    to[threadIdx.x] = from[threadIdx.x];
}

__global__ void firstOfManyKernel(const float* x, float* y) {
    y[threadIdx.x] = x[0] + (threadIdx.x > 0 ? x[threadIdx.x] : 0.0f);
}

void product(void (*kernel)(const float*, const float*, float*, int), int Width) {
    const OnDevice<float> M(Width * Width, 1.0f), N(Width * Width, 1.0f), P(Width * Width);
    kernel<<<dim3(Width / kTile, Width / kTile), dim3(kTile, kTile)>>>(M, N, P, Width);
}

__global__ void lastColumnDivergesKernel(int* y) {
    if (blockIdx.x < 7 || threadIdx.x % 2 == 0)
        y[threadIdx.x + 32 * (blockIdx.y * 8 + blockIdx.x)] = 1;
}

void lastColumnDiverges() {
    const OnDevice<int> y(32 * 64);
    lastColumnDivergesKernel<<<dim3(8, 8), 32>>>(y);
}

void vectorCopy(int n) {
    const OnDevice<float4> x(n, float4{}), y(n);
    vectorCopyKernel<<<1, n>>>(x, y);
}

const std::vector<float> in{1, 2, 3, 4};
std::vector<float> out(4);

void firstOfMany() {
    out.assign(in.size(), 0.0f);
    const std::size_t bytes = in.size() * sizeof(float);
    float *d_in, *d_out;
    cudaMalloc(&d_in, bytes);
    cudaMalloc((void**)&d_out, bytes);
    cudaMemcpy(d_in, in.data(), bytes, cudaMemcpyHostToDevice);
    firstOfManyKernel<<<1, in.size()>>>(d_in, d_out);
    cudaMemcpy(out.data(), d_out, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
}

using Numbers = std::vector<std::uint64_t>;
const Numbers kNone{0, 0, 0};

// Return loads, stores and atomics.
Numbers of(const cusim::AccessCount& count) { return {count.loads, count.stores, count.atomics}; }
Numbers of(const cusim::LaunchReport& launch, cusim::Space space) {
    return of(launch.space[static_cast<int>(space)]);
}

Numbers bytesOf(const cusim::AccessCount& count) { return {count.loadedBytes, count.storedBytes}; }

const cusim::ArrayReport& shared(const cusim::LaunchReport& launch, const std::string& name) {
    for (const cusim::ArrayReport& array : launch.arrays)
        if (array.space == cusim::Space::Shared && array.name == name) return array;
    FAIL("no shared array " << name);
    throw;
}

std::vector<cusim::ArrayReport> inOrder(const cusim::LaunchReport& launch, cusim::Space space) {
    std::vector<cusim::ArrayReport> found;
    for (const cusim::ArrayReport& array : launch.arrays)
        if (array.space == space) found.push_back(array);
    return found;
}

}  // namespace

DEVICE_TEST("The naive product loads 2 W^3 elements and stores W^2") {
    constexpr int W = 8;
    for (const int workers : {1, 2, 5}) {
        INFO(workers << " workers");
        const ChosenOptions chosen(workers);
        product(naiveKernel, W);
        const cusim::LaunchReport& launch = onlyLaunch();
        CHECK(of(launch.global()) == Numbers{2 * W * W * W, W * W, 0});
        CHECK(bytesOf(launch.global()) == Numbers{4 * 2 * W * W * W, 4 * W * W});
        CHECK(of(launch.shared()) == kNone);
        CHECK(launch.barriers == 0);
        CHECK(launch.threads == W * W);
        const auto arrays = inOrder(launch, cusim::Space::Global);
        REQUIRE(arrays.size() == 3);
        CHECK(of(arrays[0].count) == Numbers{W * W * W, 0, 0});
        CHECK(of(arrays[1].count) == Numbers{W * W * W, 0, 0});
        CHECK(of(arrays[2].count) == Numbers{0, W * W, 0});
        CHECK(arrays[2].bytes == W * W * 4);
    }
}

DEVICE_TEST("The tiled product loads fewer elements by the tile's width") {
    constexpr int W = 16, T = kTile;
    for (const int workers : {1, 2, 5}) {
        INFO(workers << " workers");
        const ChosenOptions chosen(workers);
        product(tiledKernel, W);
        const cusim::LaunchReport& launch = onlyLaunch();
        CHECK(of(launch.global()) == Numbers{2 * W * W * W / T, W * W, 0});
        CHECK(of(launch.shared()) == Numbers{2 * W * W * W, 2 * W * W * W / T, 0});
        CHECK(shared(launch, "Mds").count.loads == W * W * W);
        CHECK(shared(launch, "Nds").count.stores == W * W * W / T);
        CHECK(shared(launch, "Nds").bytes == T * T * 4);
        CHECK(launch.barriersPerThread == 2 * W / T);
        CHECK(launch.barriers == W * W * 2 * W / T);
        CHECK(launch.staticSharedBytes == 2 * T * T * 4);
    }
}

DEVICE_TEST("A float4 is one load of 16 bytes") {
    vectorCopy(32);
    CHECK(of(onlyLaunch().global()) == Numbers{32, 32, 0});
    CHECK(bytesOf(onlyLaunch().global()) == Numbers{32 * 16, 32 * 16});
}

DEVICE_TEST("A structure is copied as one access of all its bytes") {
    const OnDevice<Particle> from(8, Particle{}), to(8);
    structCopyKernel<<<1, 8>>>(from, to);
    CHECK(bytesOf(onlyLaunch().global()) == Numbers{8 * 12, 8 * 12});
}

DEVICE_TEST("An element that one expression names twice is loaded as the compiler likes") {
    const OnDevice<float> x(32, 0.0f), y(32);
    addToItselfKernel<<<1, 32>>>(x, y);
#ifdef __clang__
    CHECK(of(onlyLaunch().global()) == Numbers{64, 32, 0});
#else
    // g++ keeps the element in a register, even without optimization.
    CHECK(of(onlyLaunch().global()) == Numbers{32, 32, 0});
#endif
}

DEVICE_TEST("A sum kept in global memory loads and stores in every round") {
    resultOf(accumulateKernel, 4, 1, 4, 1.0f, 10);
    CHECK(of(onlyLaunch().global()) == Numbers{40, 40, 0});
}

DEVICE_TEST("Atomics are counted as atomics only") {
    const OnDevice<int> sum(1, 0), most(2, 0);
    updateKernel<<<1, 32>>>(sum, most);
    const cusim::LaunchReport& launch = onlyLaunch();
    CHECK(of(launch.global()) == Numbers{0, 0, 96});
    const auto arrays = inOrder(launch, cusim::Space::Global);
    REQUIRE(arrays.size() == 2);
    CHECK(of(arrays[0].count) == Numbers{0, 0, 32});
    CHECK(of(arrays[1].count) == Numbers{0, 0, 64});
}

DEVICE_TEST("Atomics in shared memory count there") {
    resultOf(sharedAtomicsKernel, 1, 1, 32);
    CHECK(of(onlyLaunch().shared()) == Numbers{1, 1, 32});
    CHECK(of(onlyLaunch().global()) == Numbers{0, 1, 0});
}

DEVICE_TEST("A local array counts as local memory at most, numbers as nothing") {
    resultOf(localArrayKernel, 32, 1, 32);
    // clang leaves out an array whose address stays inside its function; g++ does not.
    CHECK(of(onlyLaunch(), cusim::Space::Local)[1] <= 32 * 4);
    CHECK(of(onlyLaunch().global()) == Numbers{0, 32, 0});
    cusim::reset();
    product(naiveKernel, 8);
    CHECK(of(onlyLaunch(), cusim::Space::Local) == kNone);
}

DEVICE_TEST("A local array whose address is passed on counts as local memory") {
    resultOf(escapingArrayKernel, 32, 1, 32);
    CHECK(of(onlyLaunch(), cusim::Space::Local)[1] == 32 * 4);
#ifndef __clang__
    // clang does not announce loads in the function that owns the array.
    CHECK(of(onlyLaunch(), cusim::Space::Local)[0] == 32);
#endif
    CHECK(of(onlyLaunch().global()) == Numbers{0, 32, 0});
}

DEVICE_TEST("The built-in variables are registers and count as nothing") {
    resultOf(builtinsKernel, 2 * 32, 2, 32);
    CHECK(of(onlyLaunch().global()) == Numbers{0, 64, 0});
    for (const cusim::Space space :
         {cusim::Space::Constant, cusim::Space::Shared, cusim::Space::Local})
        CHECK(of(onlyLaunch(), space) == kNone);
}

DEVICE_TEST("Constant memory is counted apart from global memory, under its name") {
    const float values[3] = {1, 2, 3};
    cudaMemcpyToSymbol(filter, values, sizeof values);
    resultOf(constantFilterKernel, 32, 1, 32);
    const cusim::LaunchReport& launch = onlyLaunch();
    CHECK(of(launch, cusim::Space::Constant) == Numbers{96, 0, 0});
    CHECK(of(launch.global()) == Numbers{0, 32, 0});
    const auto arrays = inOrder(launch, cusim::Space::Constant);
    REQUIRE(arrays.size() == 1);
    CHECK(arrays[0].name == "filter");
    CHECK(arrays[0].bytes == 12);
}

DEVICE_TEST("Arrays carry the names of the student's pointers and know their host copies") {
    firstOfMany();
    CHECK(out == std::vector<float>{1, 3, 4, 5});
    const cusim::LaunchReport& launch = onlyLaunch();
    const cusim::ArrayReport* const input = launch.filledFrom(in.data());
    const cusim::ArrayReport* const output = launch.copiedInto(out.data());
    REQUIRE(input);
    REQUIRE(output);
    CHECK(input->name == "d_in");
    CHECK(output->name == "d_out");
    CHECK(launch.filledFrom(out.data()) == nullptr);
    CHECK(launch.copiedInto(in.data()) == nullptr);
}

DEVICE_TEST("A launch knows its arguments that are whole numbers, in their order") {
    product(tiledKernel, 2 * kTile);
    CHECK(onlyLaunch().numbers == std::vector<std::int64_t>{2 * kTile});
}

DEVICE_TEST("Loads and stores are counted by element where that is asked for") {
    firstOfMany();
    CHECK(onlyLaunch().filledFrom(in.data())->elementLoads.empty());

    for (const int workers : {1, 5}) {
        cusim::reset();
        cusim::options().countElements = true;
        cusim::options().workers = workers;
        firstOfMany();
        const cusim::LaunchReport& launch = onlyLaunch();
        using Words = std::vector<std::uint32_t>;
        CHECK(launch.filledFrom(in.data())->elementLoads == Words{4, 1, 1, 1});
        CHECK(launch.filledFrom(in.data())->elementStores == Words{0, 0, 0, 0});
        CHECK(launch.copiedInto(out.data())->elementStores == Words{1, 1, 1, 1});
    }
}

DEVICE_TEST("Words of shared arrays are counted as well, over all blocks and host threads") {
    cusim::options().countSharedElements = true;
    cusim::options().workers = 3;
    product(tiledKernel, 2 * kTile);
    const auto arrays = inOrder(onlyLaunch(), cusim::Space::Shared);
    REQUIRE(arrays.size() == 2);
    for (const cusim::ArrayReport& array : inOrder(onlyLaunch(), cusim::Space::Global))
        CHECK(array.elementLoads.empty());
    // 4 blocks, 2 phases; each element serves a row or a column of products.
    for (const cusim::ArrayReport& array : arrays) {
        CHECK(array.elementStores == std::vector<std::uint32_t>(16, 4 * 2));
        CHECK(array.elementLoads == std::vector<std::uint32_t>(16, 4 * 2 * kTile));
    }
}

DEVICE_TEST("A vector's load counts for each of its elements") {
    cusim::options().countElements = true;
    vectorCopy(2);
    const auto arrays = inOrder(onlyLaunch(), cusim::Space::Global);
    REQUIRE(arrays.size() == 2);
    CHECK(arrays[0].elementLoads == std::vector<std::uint32_t>(8, 1));
    CHECK(arrays[1].elementStores == std::vector<std::uint32_t>(8, 1));
}

DEVICE_TEST("Counting can be switched off and the kernel still runs") {
    cusim::options().count = false;
    firstOfMany();
    CHECK(out == std::vector<float>{1, 3, 4, 5});
    CHECK(of(onlyLaunch().global()) == kNone);
}

DEVICE_TEST("The sample of blocks for warp figures does not keep to one column of the grid") {
    lastColumnDiverges();
    const cusim::WarpReport sample = onlyLaunch().warps;
    CHECK(sample.blocks == 8);
    CHECK(sample.divergentWarps > 0);
    CHECK(sample.divergentWarps < sample.warps);
    cusim::reset();
    cusim::options().warpBlocks = 0;
    lastColumnDiverges();
    CHECK(onlyLaunch().warps.blocks == 64);
    CHECK(onlyLaunch().warps.divergentWarps == 8);
    const std::uint64_t stores = onlyLaunch().global().stores;
    cusim::reset();
    cusim::options().warpBlocks = -1;
    lastColumnDiverges();
    CHECK(onlyLaunch().warps.blocks == 0);
    CHECK(onlyLaunch().warps.warps == 0);
    CHECK(onlyLaunch().global().stores == stores);
}

DEVICE_TEST("The last block of a launch can run alone") {
    lastColumnDiverges();
    const auto all = onlyLaunch();
    cusim::reset();
    cusim::options().lastBlockOnly = true;
    lastColumnDiverges();
    CHECK(onlyLaunch().grid.x == all.grid.x);
    CHECK(onlyLaunch().global().stores == 16);
}
