// Runs the launch() of one file under faults/ on the simulated device with every observer on.
// Prints each finding as test_faults.py compares it: its kind, then its line or both lines of a
// race, the lower one first.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include "simulator/simulator.h"

void launch(const int* in, int* out);

namespace {

// The size that every file under faults/ expects.
constexpr int kElements = 64;

void hostCode() {
    std::vector<int> values(kElements);
    std::iota(values.begin(), values.end(), 1);
    const std::size_t bytes = kElements * sizeof(int);
    int *in = nullptr, *out = nullptr;
    cudaMalloc(&in, bytes);
    cudaMalloc(&out, bytes);
    cudaMemcpy(in, values.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, bytes);
    launch(in, out);
    // Asks because a launch without it is a finding; the findings tell of a kernel that failed.
    static_cast<void>(cudaGetLastError());
    cudaFree(in);
    cudaFree(out);
}

// Returns all lines that a finding names, sorted.
std::vector<int> linesOf(const cusim::Finding& finding) {
    std::vector<int> lines{finding.line};
    for (const cusim::Place& other : finding.others)
        if (other.file == finding.file) lines.push_back(other.line);
    std::sort(lines.begin(), lines.end());
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    return lines;
}

}  // namespace

int main(int argc, char**) {
    cusim::options().count = cusim::options().races = cusim::options().unset =
        cusim::options().warps = true;
    const cusim::Outcome outcome = cusim::guarded(hostCode);
    if (outcome.how != cusim::Outcome::Returned) std::printf("ended %s\n", outcome.message.c_str());
    for (const cusim::Finding& finding : cusim::findings()) {
        if (argc > 1) std::fputs(cusim::text(finding).c_str(), stderr);
        std::printf("%s", finding.kind.c_str());
        for (const int line : linesOf(finding)) std::printf(" %d", line);
        std::printf("\n");
    }
}
