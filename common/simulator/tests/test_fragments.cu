// Tests the warp matrix functions of mma.h: what they compute, and what is reported about them. The
// statement at fault carries a name in a comment, in which a test finds the finding's line.
#include <mma.h>

#include <map>
#include <string>
#include <vector>

#include "chosen_options.h"
#include "findings_text.h"
#include "matrix_tiles.h"
#include "on_device.h"

namespace {

using namespace nvcuda;
using OfA = wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major>;
using OfB = wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major>;
using Sum = wmma::fragment<wmma::accumulator, 16, 16, 16, float>;
constexpr int kElements = 256;

// Multiplies tiles of matrices of 16 columns; what is wrong depends on the case.
enum Wrong { Nothing, Lanes, Branch, Pointer, Offset, Rows, UnsetA, UnsetSum, PartlySet, OwnTile };
__global__ void multiply(const half* a, const half* b, float* d, Wrong wrong) {
    const unsigned t = threadIdx.x;
    OfA ofA;
    OfB ofB;
    Sum sum;
    half own[kElements];
    if (wrong == Lanes && t == 5) return;
    if (wrong == Branch && t < 16)
        wmma::load_matrix_sync(ofA, a, 16);  // in-branch
    else if (wrong == Rows)
        wmma::load_matrix_sync(ofA, a, 12);  // short-rows
    else if (wrong == Offset)
        wmma::load_matrix_sync(ofA, a + 8, 16);  // between-tiles
    else if (wrong == Pointer)
        wmma::load_matrix_sync(ofA, a + t, 16);  // own-pointer
    else if (wrong == OwnTile)
        wmma::load_matrix_sync(ofA, own, 16);  // own-tile
    else if (wrong != UnsetA)
        wmma::load_matrix_sync(ofA, a, 16);  // load
    wmma::load_matrix_sync(ofB, b, 16);
    if (wrong == PartlySet)
        for (int i = 0; i < sum.num_elements - 1; ++i) sum.x[i] = 0.0f;
    else if (wrong != UnsetSum)
        wmma::fill_fragment(sum, 0.0f);
    wmma::mma_sync(sum, ofA, ofB, sum);  // product
    wmma::store_matrix_sync(d, sum, 16, wmma::mem_row_major);
}

__global__ void unsetStore(float* d, bool elements) {
    Sum sum;
    if (elements)
        for (float& element : sum.x) element = 1.0f;
    wmma::store_matrix_sync(d, sum, 16, wmma::mem_row_major);  // unset-store
}

__global__ void unsetBytes(int* d, bool elements) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> sum;
    if (elements)
        for (int i = 0; i < a.num_elements; ++i) a.x[i] = static_cast<signed char>(i - 91);
    wmma::fill_fragment(b, 1);
    wmma::fill_fragment(sum, 0);
    wmma::mma_sync(sum, a, b, sum);  // unset-bytes
    wmma::store_matrix_sync(d, sum, 16, wmma::mem_row_major);
}

__global__ void copyBytes(const signed char* x, int* y) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> a;
    wmma::load_matrix_sync(a, x + 16, 32);  // 16 bytes are enough for 8-bit numbers
    for (int i = 0; i < a.num_elements; ++i) atomicAdd(y, a.x[i]);
}

// Sets each element by an expression of others in the same place.
__global__ void scale(const float* x, float* y) {
    Sum one, other;
    wmma::load_matrix_sync(one, x, 16, wmma::mem_row_major);
    wmma::load_matrix_sync(other, x + kElements, 16, wmma::mem_col_major);
    const Sum before = one;
    for (int i = 0; i < one.num_elements; ++i) one.x[i] = 2.0f * before.x[i] + other.x[i];
    wmma::store_matrix_sync(y, one, 16, wmma::mem_row_major);
}

// Adds all elements that the lanes hold of a matrix.
__global__ void sumHeld(const half* x, float* y) {
    OfA a;
    wmma::load_matrix_sync(a, x, 16);
    for (int i = 0; i < a.num_elements; ++i) atomicAdd(y, __half2float(a.x[i]));
}

__global__ void convert(const float* x, float* y) { *y = wmma::__float_to_tf32(*x); }

// Fills a shared tile, which the warp then loads.
__global__ void through(float* d, bool before, bool behind, int first) {
    __shared__ half tile[kElements];
    __shared__ float result[kElements];
    for (unsigned i = threadIdx.x; i < kElements; i += 32)
        tile[i] = static_cast<float>(i % 7);  // fill-tile
    if (before) __syncwarp();
    OfA a;
    OfB b;
    Sum sum;
    wmma::load_matrix_sync(a, tile + first, 16);  // load-tile
    wmma::fill_fragment(b, 1.0f);
    wmma::fill_fragment(sum, 0.0f);
    wmma::mma_sync(sum, a, b, sum);
    wmma::store_matrix_sync(result, sum, 16, wmma::mem_row_major);  // store-result
    if (behind) __syncwarp();
    for (unsigned i = threadIdx.x; i < kElements; i += 32) d[i] = result[i];  // read-result
}

__global__ void storeInRow(int row) {
    __shared__ half tile[16][16];
    tile[row][0] = 1.0f;  // outside-tile
}

// Each block computes one tile of matrices of `width` columns, in two warps that share the work.
__global__ void tiled(const half* a, const half* b, float* d, int width) {
    const int row = 16 * blockIdx.y, column = 16 * (2 * blockIdx.x + threadIdx.x / 32);
    OfA ofA;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> ofB;
    Sum sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int k = 0; k < width; k += 16) {
        wmma::load_matrix_sync(ofA, a + row * width + k, width);     // tiled-a
        wmma::load_matrix_sync(ofB, b + k * width + column, width);  // tiled-b
        wmma::mma_sync(sum, ofA, ofB, sum);
    }
    wmma::store_matrix_sync(d + row * width + column, sum, width, wmma::mem_row_major);  // tiled-d
}

void multiplied(Wrong wrong, int threads = 32) {
    const OnDevice<half> a(kElements, half(1)), b(kElements, half(1));
    const OnDevice<float> d(kElements, 0.0f);
    multiply<<<1, threads>>>(a, b, d, wrong);
}
void partOfA() {
    const OnDevice<half> a(kElements - 8, half(1)), b(kElements, half(1));
    const OnDevice<float> d(kElements, 0.0f);
    multiply<<<1, 32>>>(a, b, d, Nothing);
}
void unsetMatrix() {
    const OnDevice<half> a(kElements), b(kElements, half(1));
    const OnDevice<float> d(kElements, 0.0f);
    multiply<<<1, 32>>>(a, b, d, Nothing);
}
void onResult(void (*kernel)(float*, bool), bool elements) {
    const OnDevice<float> d(kElements, 0.0f);
    kernel<<<1, 32>>>(d, elements);
}
void onBytes(bool elements) {
    const OnDevice<int> d(kElements, 0);
    unsetBytes<<<1, 32>>>(d, elements);
}
void throughShared(bool before, bool behind, int first = 0) {
    const OnDevice<float> d(kElements, 0.0f);
    through<<<1, 32>>>(d, before, behind, first);
}
std::vector<float> tiles(int width, int grid) {
    const std::size_t elements = std::size_t(width) * width;
    std::vector<half> a, b;
    for (std::size_t i = 0; i < elements; ++i)
        a.emplace_back(int(i % 9) - 4), b.emplace_back(i % 5);
    const OnDevice<half> onA(a), onB(b);
    const OnDevice<float> d(elements, 0.0f);
    tiled<<<dim3(grid, width / 16), 64>>>(onA, onB, d, width);
    return d.host();
}

struct Expected {
    std::string kind, mark, words;  // of the title or the remedy
    std::string access = {};
};
const std::vector<std::pair<std::function<void()>, Expected>> kFindings{
    {[] { multiplied(Lanes); }, {"barrier-divergence", "load", "only 31 lanes reach it"}},
    {[] { multiplied(Nothing, 16); }, {"barrier-divergence", "load", "only 16 lanes reach it"}},
    {[] { multiplied(Branch); },
     {"barrier-divergence", "in-branch", "all 32 lanes of the warp: let all"}},
    {[] { multiplied(Pointer); }, {"warp-arguments", "own-pointer", "different arguments"}},
    {[] { multiplied(OwnTile); }, {"warp-arguments", "own-tile", "in the thread's own memory"}},
    {[] { multiplied(Rows); },
     {"misaligned", "short-rows", "12 elements, which is no multiple of 8"}},
    {[] { multiplied(Offset); }, {"misaligned", "between-tiles", "begins 16 bytes after"}},
    {[] { multiplied(UnsetA); },
     {"unset-read", "product", "the fragment of matrix_a before", "reads unset matrix_a"}},
    {[] { multiplied(UnsetSum); },
     {"unset-read", "product", "the accumulator that it adds to", "reads unset accumulator"}},
    {[] { multiplied(PartlySet); }, {"unset-read", "product", "the accumulator that it adds to"}},
    {[] { onResult(unsetStore, false); }, {"unset-read", "unset-store", "store_matrix_sync reads"}},
    {[] { onBytes(false); }, {"unset-read", "unset-bytes", "the fragment of matrix_a before"}},
    {[] { unsetMatrix(); }, {"unset-read", "load", "before it is written"}},
    {[] { partOfA(); }, {"out-of-bounds", "load", "reads past the end of"}},
    {[] { tiles(32, 2); }, {"out-of-bounds", "tiled-b", "pad the matrix to whole tiles"}},
    {[] { throughShared(false, true); }, {"race", "fill-tile", "race on tile"}},
    {[] { throughShared(true, false); }, {"race", "store-result", "race on result"}},
    {[] { throughShared(true, true, 1); },
     {"misaligned", "load-tile", "begins 2 bytes after tile", "reads tile"}},
    {[] { storeInRow<<<1, 32>>>(17); },
     {"out-of-bounds", "outside-tile", "array of type '16-bit float [16][16]'"}},
};

}  // namespace

DEVICE_TEST("A product of each shape, type and layout is the sum in the order of k, rounded once") {
    int count = 0;
    matrix_tiles::visitAll([&](const std::string& name, auto runs, bool) {
        INFO(name);
        ++count;
        const matrix_tiles::Compared compared = runs(7);
        INFO(allFindings());
        CHECK(compared.other == 0);
        checkNothingFound();
        cusim::reset();
    });
    CHECK(count == 3 * (9 * 4 + 2 * 8) + 4 * 4);
}

DEVICE_TEST("A wrong use of a fragment is reported at its line") {
    for (const auto& [launch, expected] : kFindings) {
        cusim::reset();
        launch();
        INFO(expected.mark << ", " << expected.words << "\n" << allFindings());
        REQUIRE_FALSE(cusim::findings().empty());
        const cusim::Finding& finding = cusim::findings()[0];
        CHECK(finding.kind == expected.kind);
        CHECK(marksOf(finding.file, finding.line) == expected.mark);
        CHECK(holds(finding.title + " " + finding.remedy, expected.words));
        if (!expected.access.empty()) CHECK(finding.access == expected.access);
        CHECK_FALSE(finding.remedy.empty());
    }
}

TEST_CASE("Lanes load and store the same elements of a tile under each schedule") {
    underEachSchedule([] {
        const std::vector<float> d = tiles(64, 2);
        checkNothingFound();
        for (int row = 0; row < 64; ++row)
            for (int column = 0; column < 64; ++column) {
                float sum = 0;
                for (int k = 0; k < 64; ++k)
                    sum += ((row * 64 + k) % 9 - 4) * ((k * 64 + column) % 5);
                REQUIRE(d[row * 64 + column] == sum);
            }
    });
}

DEVICE_TEST("A fragment whose elements the kernel sets by itself is set") {
    onResult(unsetStore, true);
    onBytes(true);
    const OnDevice<signed char> bytes(2 * kElements, 3);
    const OnDevice<int> sum(1, 0);
    copyBytes<<<1, 32>>>(bytes, sum);
    CHECK(sum.host()[0] == 3 * kElements);
    checkNothingFound();
}

DEVICE_TEST("The elements of two accumulators at one index have one place") {
    std::vector<float> both;
    for (int i = 0; i < 2 * kElements; ++i) both.push_back(static_cast<float>(i % 251));
    const OnDevice<float> x(both), y(kElements, 0.0f);
    scale<<<1, 32>>>(x, y);
    const std::vector<float> result = y.host();
    for (int i = 0; i < kElements; ++i) {
        const int transposed = i % 16 * 16 + i / 16;
        CHECK(result[i] == 2 * both[i] + both[kElements + transposed]);
    }
    checkNothingFound();
}

DEVICE_TEST("The lanes hold each half of a matrix twice") {
    std::vector<half> matrix;
    for (int i = 0; i < kElements; ++i) matrix.emplace_back(i);
    const OnDevice<half> x(matrix);
    const OnDevice<float> y(1, 0.0f);
    sumHeld<<<1, 32>>>(x, y);
    CHECK(y.host()[0] == kElements * (kElements - 1));
    checkNothingFound();
}

DEVICE_TEST("A float becomes TF32 by rounding to 10 bits of fraction, ties away from zero") {
    const std::map<unsigned, unsigned> expected{{0x3f800fffu, 0x3f800000u},
                                                {0x3f801000u, 0x3f802000u},
                                                {0xbf803000u, 0xbf804000u},
                                                {0x3ffff000u, 0x40000000u},
                                                {0x7f800000u, 0x7f800000u}};
    for (const auto& [bits, rounded] : expected) {
        const OnDevice<float> x(1, __uint_as_float(bits)), y(1, 0.0f);
        convert<<<1, 1>>>(x, y);
        CHECK(__float_as_uint(y.host()[0]) == rounded);
    }
}

DEVICE_TEST("Each mma_sync counts once for a warp, and each element of memory once for a lane") {
    tiles(64, 2);
    const cusim::LaunchReport& launch = onlyLaunch();
    CHECK(launch.tensorOperations == 16 * 4);
    CHECK(launch.tensorFlop == 2ull * 64 * 64 * 64);
    CHECK(launch.global().loads == 16 * 4 * 2 * kElements);
    CHECK(launch.global().stores == 16 * kElements);
    CHECK(launch.warps.sectors == launch.warps.idealSectors);
}
