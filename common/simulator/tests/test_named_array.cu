// Tests that the report of an access outside of an array names the array of the expression,
// whatever lies at the address.
#include <map>
#include <string>
#include <vector>

#include "on_device.h"
#include "simulator/simulator.h"
#include "testing/catch.h"

namespace {

using Kernel = void (*)(const int* M, const int* N, int* P, int which);

__global__ void second(const int* M, const int* N, int* P, int which) {
    P[0] = M[which] + N[which - 4];
}
__global__ void added(const int* M, const int* N, int* P, int which) {
    P[which - 3] += M[0] + N[0];
}
__global__ void stored(const int* M, const int* N, int* P, int which) {
    P[which - 2] = M[0] + N[0];
}
__global__ void starred(const int* M, const int*, int* P, int which) { *(P - 2 + which) = M[0]; }
__global__ void starRead(const int* M, const int* N, int* P, int) { P[0] = N[0] + *(M - 7); }
__global__ void chosen(const int*, const int* N, int* P, int which) {
    P[which] = which == 0 ? N[(which - 6)] : 0;
}
__global__ void castStored(const int* M, const int*, int* P, int which) {
    *reinterpret_cast<float4*>(&P[which - 4]) = make_float4(M[0], 0, 0, 0);
}
__global__ void castRead(const int* M, const int*, int* P, int which) {
    const float4 v = *reinterpret_cast<const float4*>(&M[which - 8]);
    P[0] = static_cast<int>(v.x);
}
__global__ void castAssigned(const int* M, const int*, int* P, int which) {
    float4 v = make_float4(0, 0, 0, 0);
    if (which == 0) v = *reinterpret_cast<const float4*>(&M[which - 12]);
    P[0] = static_cast<int>(v.x + v.w);
}
__global__ void walked(const int* M, const int*, int* P, int which) {
    const int* walk = M;
    P[0] = walk[which - 5];
}
__global__ void pastAnother(const int* M, const int* N, int* P, int which) {
    P[0] = N[0] + M[which + 3000];
}
__global__ void intoOne(const int* M) {
    __shared__ int partial[16];
    const int t = threadIdx.x;
    partial[t] = M[t];
    for (int kb = 8; kb > 0; kb /= 2) {
        __syncthreads();
        if (t < kb) partial[0] += partial[(t + kb - 1) % 8];
    }
}
template <int far>
__global__ void pattern(const int* M, const int* N, int* P, int) {
    P[0] = N[0] + M[far];
}
__global__ void shared(const int*, const int*, int* P, int which) {
    extern __shared__ int s[];
    int* const half = s + 2;
    P[0] = half[which - 3];
}
__global__ void eitherOne(const int* M, const int* N, int* P, int which) {
    const int* either = which == 0 ? M : N;
    P[0] = either[which - 1];
}
__device__ int at(const int* M, int i) { return M[i]; }
__global__ void called(const int* M, const int*, int* P, int) { P[0] = at(M, -1); }

__global__ void belowN(const int* M, const int* N, int* P, int which) {
    const int* either = which == 1 ? M : N;
    P[0] = either[which - 2];
}

// Returns what a launch finds first, on arrays of four elements.
cusim::Finding findingOf(Kernel kernel, bool freed = false) {
    cusim::reset();
    int *d_M, *d_N, *d_P;
    cudaMalloc(&d_M, 16);
    cudaMalloc(&d_N, 16);
    cudaMalloc(&d_P, 16);
    for (int* const all : {d_M, d_N, d_P}) cudaMemset(all, 0, 16);
    if (freed) cudaFree(d_M);
    kernel<<<1, 1, 16>>>(d_M, d_N, d_P, 0);
    cusim::Finding found;
    if (!cusim::findings().empty()) found = cusim::findings().front();
    cusim::reset();
    return found;
}
std::string titleOf(Kernel kernel, bool freed = false) { return findingOf(kernel, freed).title; }

}  // namespace

TEST_CASE("The report of an access outside of an array names the array of the expression") {
    const std::string reads = "out of bounds: the kernel reads ";
    const std::string writes = "out of bounds: the kernel writes ";
    CHECK(titleOf(second) == reads + "before the beginning of d_N, index -4");
    CHECK(titleOf(added) == reads + "before the beginning of d_P, index -3");
    CHECK(titleOf(stored) == writes + "before the beginning of d_P, index -2");
    CHECK(titleOf(starred) == writes + "before the beginning of d_P, index -2");
    CHECK(titleOf(starRead) == reads + "before the beginning of d_M, index -7");
    CHECK(titleOf(chosen) == reads + "before the beginning of d_N, index -6");
    CHECK(titleOf(castStored) == writes + "before the beginning of d_P, index -1");
    CHECK(titleOf(castRead) == reads + "before the beginning of d_M, index -2");
    CHECK(titleOf(castAssigned) == reads + "before the beginning of d_M, index -3");
    CHECK(titleOf(walked) == reads + "before the beginning of d_M, index -5");
    CHECK(titleOf(pastAnother) == reads + "past the end of d_M");
    CHECK(titleOf(pattern<-9>) == reads + "before the beginning of d_M, index -9");
    CHECK(titleOf(shared) == reads + "before the beginning of shared array s, index -1");
    CHECK(titleOf(walked, true) == reads + "d_M after cudaFree");
}

TEST_CASE("An access whose expression leaves doubts names no array as the one") {
    const std::string outside =
        "out of bounds: the kernel reads device memory outside of all arrays";
    CHECK(titleOf(eitherOne) == outside);
    CHECK(titleOf(called) == outside);
}

TEST_CASE("An access in a function that the kernel calls is reported with the line of the call") {
    const cusim::Finding finding = findingOf(called);
    REQUIRE(!finding.details.empty());
    const std::string line = "__global__ void called(const int* M, const int*, int* P, int)";
    CHECK(finding.details.back().find("called at ") == 0);
    CHECK(finding.details.back().find(": " + line) != std::string::npos);
    REQUIRE(!finding.others.empty());
    CHECK(finding.others.back().line == finding.line + 1);
}

TEST_CASE("Of two arrays that an access lies between, the nearer one is reported first") {
    const std::vector<std::string> details = findingOf(belowN).details;
    REQUIRE(details.size() == 2);
    CHECK(details[0].find("2 elements before the beginning of d_N") == 0);
    CHECK(details[1].find("past the end of d_M") != std::string::npos);
}

TEST_CASE("A line on which several threads store one element is reported first, with its array") {
    cusim::reset();
    const OnDevice<int> M(16, 1);
    intoOne<<<1, 16>>>(M);
    const auto& found = cusim::findings();
    REQUIRE(found.size() == 1);  // what else happens to that element comes from the same index
    CHECK(found[0].access == "writes partial");
    CHECK(found[0].remedy.find("partial[0] is the same element for all threads of the block") == 0);
}
