// Compares the answers with measurements: on the student's kernel, on those of given.cu, or from
// devices' properties.
#include <algorithm>
#include <vector>

#include "lab4_memtypes/answers/given.h"
#include "lab4_memtypes/lab4.h"
#include "lab4_memtypes/limits/devices.h"
#include "matrix/compare.h"
#include "testing/questions.h"

using matrix::Matrix;
using questions::expectNumber;
using questions::expectWord;

namespace {

using Draw = void (*)(int*, int, int);

// Counts the threads that draw 0, the first at each copy.
double copies(Draw draw) {
    const int blocks = 60, threads = 96;
    std::vector<int> drawn(static_cast<std::size_t>(blocks * threads), -1);
    questions::launchOf(lab::gives(drawn), [&] { draw(drawn.data(), blocks, threads); });
    return static_cast<double>(std::count(drawn.begin(), drawn.end(), 0));
}

// Returns what limits a kernel with 36 operations and seven accesses of 4 bytes.
double bound(double gflops, double bandwidth) {
    const double operationsPerByte = 36.0 / (7 * sizeof(float));
    return bandwidth * operationsPerByte < gflops ? memory_bound : compute_bound;
}

// Counts the threads of the blocks that fit.
double threadsAtOnce(const cudaDeviceProp& device, const limits::Use& use) {
    return static_cast<double>(limits::counted(device, use)) * use.threads;
}

double loadsOnTheirWay(int T) {
    const std::size_t tile = sizeof(float) * lab::product(T, T);
    return 2 * threadsAtOnce(limits::k1536, {T * T, 0, 2 * tile});
}

cusim::LaunchReport multiplied(int Width, int tileWidth) {
    const device::WithoutWarps withoutWarps;
    const Matrix ones(Width, Width, 1.0F);
    Matrix P = matrix::poisoned(Width, Width);
    cusim::LaunchReport launch = questions::launchOf(lab::gives(P).from(ones), [&] {
        matrixMulWithTile(ones.data(), ones.data(), P.data(), Width, tileWidth);
    });
    if (P != Matrix(Width, Width, static_cast<float>(Width)))
        questions::kernelFirst("whose product is not right yet.");
    return launch;
}

// Returns the loads in floats, because one load may take several.
double loads(const cusim::LaunchReport& launch) {
    return static_cast<double>(launch.global().loadedBytes) / sizeof(float);
}

double threadsOnV100(int tileWidth) {
    cusim::useProfile("v100");
    return cusim::occupancy(multiplied(tileWidth, tileWidth)).threads;
}

// The blocks of a launch on a device whose blocks run in waves: as many at once as fit all SMs.
struct Waves {
    int sms, blocks, atOnce;

    int count() const { return (blocks + atOnce - 1) / atOnce; }
    int idleInLast() const { return std::max(0, sms - (blocks - (count() - 1) * atOnce)); }
};

Waves wavesOn8800Gtx() {
    cusim::useProfile("8800gtx");
    const cusim::LaunchReport launch = multiplied(192, 32);
    cudaDeviceProp device{};
    cudaGetDeviceProperties(&device, 0);
    const int sms = device.multiProcessorCount;
    return {sms, static_cast<int>(launch.grid.x * launch.grid.y),
            sms * cusim::occupancy(launch).blocks};
}

const char* const kWaves =
    "See \"Going further\": how many tiles does P have, and how many blocks do all SMs hold?";
const char* const kCopies =
    "See the table in qualifiers/README.md: which threads share such a variable?";
const char* const kBound =
    "How many bytes do the seven accesses have? How many operations can the device do in the time "
    "that it needs for these bytes, and how many does the thread make?";
const char* const kWhole =
    "See limits/README.md: an SM holds as many whole blocks as the smallest of its limits allows. ";
const char* const kTiles =
    "See \"Steps\", step 1: how many bytes do the two tiles of a block need, and how many "
    "threads does a block have, if each computes 16 elements of P?";

}  // namespace

TEST_CASE("Q1: copies of a local variable") {
    expectNumber("Q1_local", kCopies, [] { return copies(given::drawFromLocal); });
}

TEST_CASE("Q2: copies of a shared variable") {
    expectNumber("Q2_shared", kCopies, [] { return copies(given::drawFromShared); });
}

TEST_CASE("Q3: the limit on 200 GFLOP/s and 100 GB/s") {
    expectWord("Q3_at_200", "memory_bound or compute_bound", kBound,
               [] { return bound(200, 100); });
}

TEST_CASE("Q4: the limit on 300 GFLOP/s and 250 GB/s") {
    expectWord("Q4_at_300", "memory_bound or compute_bound", kBound,
               [] { return bound(300, 250); });
}

TEST_CASE("Q5: threads of device D with 12 registers each") {
    expectNumber("Q5_registers", std::string(kWhole) + "How many registers does a block need?", [] {
        return threadsAtOnce(limits::kDeviceD, {256, 12, 0});
    });
}

TEST_CASE("Q6: threads of an 8800 GTX in blocks of 64") {
    expectNumber("Q6_small", std::string(kWhole) + "Which limit is the smallest one here?", [] {
        cusim::useProfile("8800gtx");
        return cusim::occupancy(64, 0).threads;
    });
}

TEST_CASE("Q7: pending loads with tiles of 16 and of 32") {
    const std::string think =
        std::string(kWhole) + "How many bytes and threads do two tiles of floats need?";
    expectNumber("Q7_pending_16", "With 16: " + think, [] { return loadsOnTheirWay(16); });
    expectNumber("Q7_pending_32", "With 32: " + think, [] { return loadsOnTheirWay(32); });
}

TEST_CASE("Q8: floats in constant memory") {
    expectNumber("Q8_constant", "See constant/README.md for the number of bytes.", [] {
        cudaDeviceProp device{};
        cudaGetDeviceProperties(&device, 0);
        return static_cast<double>(device.totalConstMem) / sizeof(float);
    });
}

TEST_CASE("Q9: the loads at Width 240 with tiles of 80") {
    expectNumber("Q9_loads",
                 "See \"Why\": how often is an element of M loaded, and how many elements "
                 "do M and N have together?",
                 [] {
                     // In a single tile, each element is loaded once.
                     if (loads(multiplied(80, 80)) != 2.0 * 80 * 80)
                         questions::kernelFirst("which loads more than the elements of its tiles.");
                     return loads(multiplied(240, 80));
                 });
}

TEST_CASE("Q10: threads of a V100 with tiles of 96") {
    expectNumber("Q10_tile_96", kTiles, [] { return threadsOnV100(96); });
}

TEST_CASE("Q11: threads of a V100 with tiles of 32") {
    expectNumber("Q11_tile_32", kTiles, [] { return threadsOnV100(32); });
}

TEST_CASE("Q12: waves of blocks on an 8800 GTX") {
    expectNumber("Q12_waves", kWaves, [] { return wavesOn8800Gtx().count(); });
}

TEST_CASE("Q13: SMs without a block in the last wave") {
    expectNumber("Q13_idle", kWaves, [] { return wavesOn8800Gtx().idleInLast(); });
}
