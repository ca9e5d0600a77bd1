// Compares kernels whose accesses may be foreseen in runs with the same kernels where each access
// is looked at by itself, as it is where those of every element are counted: by all counts and by
// the text of all findings.
#include <cooperative_groups.h>

#include <random>
#include <string>
#include <vector>

#include "asked_seeds.h"
#include "findings_text.h"
#include "on_device.h"

namespace {

constexpr int kWords = 256, kSteps = 14, kOwn = 5;

enum What { Load, LoadElsewhere, Store, StoreElsewhere, Move, Update, Add, Wait, Meet, Rest };
enum Meeting { Barrier, Warp, Fence, Return, Grid };

// Loops of threads that are alike for most of them.
struct Step {
    int what, array, to;
    int start, perThread, stride, times;
    int every, from, more;  // threads that skip it, and those that go round more often
    int beyond;             // an array's ends
};

__global__ void stepsKernel(const Step* steps, float* a, float* b, float* y, int rounds) {
    __shared__ float s[kWords], u[kWords];
    float own[8] = {};
    const int t = threadIdx.x + blockDim.x * threadIdx.y;
    float sum = 0.0f;
    float* const arrays[] = {a, b, s, u, a + 1, own};
    for (int n = 0; n < kSteps * rounds; ++n) {
        const Step* const step = steps + n % kSteps;
        const bool skips = t % step->every == step->from;
        if (step->what == Meet) {
            if (step->array == Barrier) __syncthreads();
            if (step->array == Warp) __syncwarp();
            if (step->array == Fence) __threadfence();
            if (step->array == Return && skips) return;
            if (step->array == Grid) cooperative_groups::this_grid().sync();
        }
        if (step->what >= Meet || skips) continue;
        float* const array = arrays[step->array];
        const int most = step->array == kOwn ? 8 : kWords;
        const int times = step->times + (t % 5 == step->from ? step->more : 0);
        int i = step->start + step->perThread * t;
        for (int k = 0; k < times; ++k, i += step->stride) {
            if (i < -step->beyond || i >= most + step->beyond) continue;
            if (step->what == Load) sum += array[i];
            if (step->what == LoadElsewhere) sum += 2.0f * array[i];
            if (step->what == Store) array[i] = 1.0f;
            if (step->what == StoreElsewhere) array[i] = 2.0f;
            if (step->what == Move && i >= 0 && i < 8) arrays[step->to][i] = array[i];
            if (step->what == Update) array[i] += 1.0f;
            if (step->what == Add && step->array != kOwn) atomicAdd(array + i, 1.0f);
            if (step->what == Wait) sum += *static_cast<volatile float*>(array + i);
        }
    }
    if (t < kWords) y[blockIdx.x * kWords + t] = sum;
}

// As in a blur, threads at the edges have fewer terms.
__global__ void edgesKernel(const float* x, float* y, int size) {
    const int col = threadIdx.x;
    for (int row = 0; row < size; ++row) {
        float sum = 0.0f;
        for (int r = max(row - 1, 0); r <= min(row + 1, size - 1); ++r)
            for (int c = max(col - 1, 0); c <= min(col + 1, size - 1); ++c) sum += x[r * size + c];
        y[row * size + col] = sum;
    }
}

// In its last loop each second thread has one term more than the thread before. There are 64 short
// loops before, so that the device no longer looks for runs, and the thread before was foreseen.
__global__ void termsKernel(const float* x, float* y, bool backwards) {
    const int t = backwards ? blockDim.x - 1 - threadIdx.x : threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i <= 64; ++i)
        for (int k = 0; k < (i < 64 ? 3 : 3 + t % 2); ++k) sum += x[8 * i + k + t];
    y[t] = sum;
}

// In the last round the first thread stores in a run what others read by an instruction that has
// read it before. In the rounds before, the device has looked in vain whether the arrays are set.
__global__ void readThenStoreKernel(float* a, float* y, int rounds) {
    __shared__ float u[64];
    const int t = threadIdx.x;
    if (t == 0) u[0] = 1.0f;
    for (int i = 0; i <= rounds; ++i) {
        __syncthreads();
        y[t] = u[0] + a[0];
        if (t == 0 && i == rounds) u[0] = a[0] = 2.0f;
    }
}

std::string textOf(const cusim::AccessCount& count) {
    return cusim::joined(count.loads, " ", count.stores, " ", count.atomics, " ", count.loadedBytes,
                         " ", count.storedBytes, "; ");
}

std::string textOf(const cusim::WarpReport& warps) {
    return cusim::joined(warps.blocks, " ", warps.globalRequests, " ", warps.sectors, " ",
                         warps.idealSectors, " ", warps.lines, " ", warps.blockSectors, " ",
                         warps.sharedRequests, " ", warps.sharedPasses, " ", warps.sharedRows, " ",
                         warps.constantRequests, " ", warps.constantPasses, " ",
                         warps.divergentWarps, " ", warps.warps, "\n");
}

// Returns all that is reported of the only launch.
std::string told() {
    REQUIRE(cusim::launches().size() == 1);
    const cusim::LaunchReport& launch = cusim::launches()[0];
    std::string text =
        cusim::joined(launch.completed, " ", launch.barriers, " ", launch.barriersPerThread, "\n");
    for (const cusim::AccessCount& count : launch.space) text += textOf(count);
    text += textOf(launch.warps);
    for (const cusim::ArrayReport& array : launch.arrays)
        text += array.name + ": " + textOf(array.count) + textOf(array.warps);
    return text + allFindings();
}

// Returns how often each word of device memory was loaded and stored in the last launch.
std::string countsOfWords() {
    std::string text;
    for (const cusim::ArrayReport& array : cusim::launches().back().arrays)
        if (array.allocation >= 0)
            for (const auto* counts : {&array.elementLoads, &array.elementStores})
                for (const std::uint32_t times : *counts) text += std::to_string(times) + " ";
    return text;
}

// Runs a launch each way, in each order.
template <class Launch>
void checkSame(Launch launch) {
    const cusim::Options given = cusim::options();
    for (const std::string schedule : {"forward", "reverse", "random:3"}) {
        const auto toldOf = [&](bool eachOfDevice, bool eachShared) {
            cusim::reset();
            cusim::options().schedule = schedule;
            cusim::options().countElements = eachOfDevice;
            cusim::options().countSharedElements = eachShared;
            launch();
            return told();
        };
        INFO(schedule);
        const std::string expected = toldOf(true, true), words = countsOfWords();
        CHECK(toldOf(false, false) == expected);
        CHECK(toldOf(true, false) == expected);
        CHECK(countsOfWords() == words);
    }
    cusim::options() = given;
}

// Draws numbers and what they choose.
class Draw {
  public:
    explicit Draw(unsigned seed) : random_(seed) {}
    int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
    bool oneIn(int n) { return below(n) == 0; }

    Step step(bool grid) {
        Step one{};
        one.what = below(Rest);
        one.array = below(6);
        if (one.what == Meet) one.array = oneIn(2) ? int{Barrier} : below(grid ? Grid + 1 : Grid);
        one.to = below(6);
        one.perThread = oneIn(3) ? below(9) - 4 : 1;
        one.stride = oneIn(3) ? below(13) - 6 : 1;
        one.times = 1 + below(oneIn(3) ? 20 : 4);
        one.start = oneIn(2) ? 0 : below(kWords);
        one.every = oneIn(3) ? 2 + below(9) : 1000;
        one.from = oneIn(2) ? 0 : below(9);
        one.more = oneIn(3) ? 1 + below(3) : 0;
        if (oneIn(6)) one.more = -1;
        one.beyond = one.array < 2 && oneIn(50) ? 9 : 0;
        return one;
    }

  private:
    std::mt19937 random_;
};

void launchDrawn(unsigned seed) {
    Draw draw(seed);
    const bool grid = draw.oneIn(4), set = draw.oneIn(2);
    std::vector<Step> drawn;
    while (drawn.size() < kSteps) drawn.push_back(draw.step(grid));
    constexpr int kSizes[] = {1, 7, 24, 32, 33, 64, 71};
    const int size = kSizes[draw.below(7)], blocks = 1 + draw.below(3);
    const dim3 block = size == 24 ? dim3(8, 3) : dim3(static_cast<unsigned>(size));
    const std::vector<float> ones(kWords, 1.0f);
    const OnDevice<Step> steps(drawn);
    const OnDevice<float> b(ones), y(kWords * 3);
    float* a = nullptr;
    cudaMalloc(&a, kWords * sizeof(float));
    if (set) cudaMemcpy(a, ones.data(), kWords * sizeof(float), cudaMemcpyHostToDevice);
    const Step* first = steps;
    float *second = b, *third = y;
    int rounds = draw.oneIn(2) ? 1 : 2 + draw.below(9);
    void* arguments[] = {&first, &a, &second, &third, &rounds};
    if (grid)
        cudaLaunchCooperativeKernel(stepsKernel, blocks, block, arguments);
    else
        cudaLaunchKernel(stepsKernel, blocks, block, arguments);
    cudaFree(a);
}

}  // namespace

TEST_CASE("Threads with fewer terms than their neighbours are counted as each access by itself") {
    const ChosenOptions chosen(1);
    for (const int size : {5, 13, 31, 32, 33, 64, 100})
        for (const int blocksWithWarps : {0, -1}) {
            INFO(size << " columns");
            cusim::options().warpBlocks = blocksWithWarps;
            checkSame([&] {
                const OnDevice<float> x(size * size, 1.0f), y(size * size);
                edgesKernel<<<1, size>>>(x, y, size);
            });
            for (const bool backwards : {false, true})
                checkSame([&] {
                    const OnDevice<float> x(8 * 65 + size, 1.0f), y(size);
                    termsKernel<<<1, size>>>(x, y, backwards);
                });
        }
}

TEST_CASE("A store in a run races with reads that need no second look") {
    const ChosenOptions chosen(1);
    cusim::options().warps = false;
    checkSame([&] {
        const OnDevice<float> a(64), y(64);
        cudaMemset(a, 0, sizeof(float));
        readThenStoreKernel<<<1, 64>>>(a, y, 10);
        CHECK(cusim::findings().size() == 2);
        CHECK(holds(allFindings(), "race on u (shared):"));
        CHECK(holds(allFindings(), "race on data_:"));
    });
}

TEST_CASE("Random loops are counted and found as each of their accesses by itself") {
    const ChosenOptions chosen(1);
    const auto [first, end] = askedSeeds(24);
    for (unsigned seed = first; seed < end; ++seed) {
        INFO("seed " << seed);
        Draw draw(seed + 1000000);
        if (draw.oneIn(3)) cusim::options().warpBlocks = draw.oneIn(2) ? -1 : 1;
        cusim::options().tolerant = draw.oneIn(4);
        cusim::options().races = !draw.oneIn(6);
        cusim::options().unset = !draw.oneIn(6);
        checkSame([&] { launchDrawn(seed); });
    }
}
