// Tests that host code with decoys can move the numbers of a call, and finds none of them.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "simulator/include/cuda_runtime.h"
#include "simulator/simulator.h"
#include "testing/catch.h"
#include "verdict/host/copies.h"
#include "verdict/host/decoys.h"

using host::Decoys;

namespace {

using Numbers = std::vector<float>;

std::string_view bytesOf(const Numbers& all) {
    return {reinterpret_cast<const char*>(all.data()), all.size() * sizeof(float)};
}

Numbers numbersOf(const std::string& bytes) {
    Numbers all(bytes.size() / sizeof(float));
    std::memcpy(all.data(), bytes.data(), bytes.size());
    return all;
}

// Returns half, one and a half, two and a half and so on.
Numbers counted(std::size_t size) {
    Numbers all(size);
    std::iota(all.begin(), all.end(), 0.5f);
    return all;
}

bool areNoNumbers(const Numbers& all) {
    return std::all_of(all.begin(), all.end(), [](float one) { return one != one; });
}

}  // namespace

TEST_CASE("decoys are no numbers, and become those of the matrices in any order") {
    Numbers result(8, -1.0f), M = counted(8);
    const lab::Outputs outputs = lab::gives(result).from(M);
    const Decoys decoys(outputs);
    Numbers ofHost = M;
    {
        const Numbers keep(result.begin(), result.end());
        Decoys::intoMatrices(outputs);
        CHECK(areNoNumbers(M));
        ofHost = {M[7], 0.0f, M[0], 3.0f};
        CHECK(numbersOf(decoys.shown(bytesOf(result))) == keep);
    }
    CHECK(numbersOf(decoys.shown(bytesOf(ofHost))) == Numbers{7.5f, 0.0f, 0.5f, 3.0f});
}

TEST_CASE("what the device gives holds no number for the host, however few bytes it has") {
    Numbers result(8), M = counted(8);
    Decoys decoys(lab::gives(result).from(M));
    const std::string hidden = decoys.hidden(bytesOf({2.0f, 2.0f}));
    CHECK(areNoNumbers(numbersOf(hidden)));
    CHECK(hidden.substr(0, 4) != hidden.substr(4));
    CHECK(numbersOf(decoys.shown(hidden)) == Numbers{2.0f, 2.0f});
    CHECK(decoys.hidden("abc") == std::string(3, '\0'));
}

TEST_CASE("in memory of both sides the host sees its own numbers, and none of a kernel's") {
    cusim::reset();
    Numbers result(8), M = counted(8);
    Decoys decoys(lab::gives(result).from(M));
    float* both = nullptr;
    REQUIRE(cudaMallocHost(&both, 2 * sizeof(float)) == cudaSuccess);
    decoys.hideShared();  // as after the call that has made it
    both[0] = 1.0f, both[1] = 2.0f;
    decoys.showShared();
    both[1] = 3.0f;
    decoys.hideShared();
    CHECK(both[0] == 1.0f);
    CHECK(both[1] != both[1]);
    decoys.showShared();
    CHECK(both[1] == 3.0f);
    CHECK(cudaFreeHost(both) == cudaSuccess);
}

TEST_CASE("copies of the matrices are wiped wherever they lie, and other numbers stay") {
    Numbers result(8), M = counted(2048);
    std::vector<char> copy(M.size() * sizeof(float) + 4, 'x');
    std::memcpy(copy.data() + 4, M.data(), M.size() * sizeof(float));
    std::vector<std::uint32_t> small(1024);
    std::iota(small.begin(), small.end(), 0u);
    const std::vector<host::Range> memory = host::ownMemory();
    host::Copies copies(lab::gives(result).from(M));
    copies.wipe(memory);
    CHECK(std::count(M.begin(), M.end(), 0.0f) == 2048);
    CHECK(std::count(copy.begin(), copy.end(), '\0') == 2048L * 4);
    CHECK(std::count(copy.begin(), copy.end(), 'x') == 4);
    CHECK(std::count(small.begin(), small.end(), 0u) == 1);
}

TEST_CASE("addresses in memory are not taken for numbers of a matrix of small integers") {
    Numbers result(8), M(2048);
    for (std::size_t i = 1; i < M.size(); i += 2) M[i] = static_cast<float>(i * i % 61 % 16);
    // The low words of aligned addresses end in zeros, and zeros stand in front of them.
    constexpr std::uint32_t kPages = 4096;
    std::vector<std::uint32_t> addresses;
    for (std::uint32_t page = 1; page < kPages; ++page)
        addresses.insert(addresses.end(), {0, 0, 0, page << 20, 0x7f16});
    const std::vector<host::Range> memory = host::ownMemory();
    host::Copies copies(lab::gives(result).from(M));
    copies.wipe(memory);
    CHECK(std::count(addresses.begin(), addresses.end(), 0u) == 3L * (kPages - 1));
}
