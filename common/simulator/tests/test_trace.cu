// Tests the record of small launches, from which pictures are drawn.
#include <fstream>
#include <string>
#include <vector>

#include "chosen_options.h"
#include "matrix/tests/helpers.h"
#include "simulator/findings/source_lines.h"
#include "simulator/simulator.h"
#include "testing/catch.h"

namespace {

__global__ void reverse(const float* x, float* y) {
    __shared__ float s[4];
    int first = blockIdx.x * 4;
    s[threadIdx.x] = x[first + threadIdx.x];      // trace-in
    __syncthreads();                              // trace-barrier
    y[first + threadIdx.x] = s[3 - threadIdx.x];  // trace-out
}

__global__ void increment(int* counter) { atomicAdd(counter, 1); }

void reverseBlocks(int blocks = 2) {
    float *d_x, *d_y;
    size_t bytes = static_cast<size_t>(blocks) * 4 * sizeof(float);
    cudaMalloc(&d_x, bytes);
    cudaMalloc(&d_y, bytes);
    cudaMemset(d_x, 0, bytes);
    reverse<<<blocks, 4>>>(d_x, d_y);
    cudaFree(d_x);
    cudaFree(d_y);
}

void countUp() {
    int* d_counter;
    cudaMalloc(&d_counter, sizeof(int));
    cudaMemset(d_counter, 0, sizeof(int));
    increment<<<1, 2>>>(d_counter);
    cudaFree(d_counter);
}

// A file for the trace, with a folder of its own.
class TraceFile {
  public:
    TraceFile() { cusim::options().trace = path_; }

    std::vector<std::string> lines() const {
        std::ifstream in(path_);
        std::vector<std::string> all;
        for (std::string line; std::getline(in, line);) all.push_back(line);
        return all;
    }

  private:
    const matrix_test::Folder folder_;
    const std::string path_ = folder_.file("trace.csv");
};

// Returns the number of the line of test_trace.cu with this mark.
std::string lineOf(const std::string& mark) {
    for (int line = 1; line < 100; ++line)
        if (cusim::sourceLine("common/simulator/tests/test_trace.cu", line).find("// " + mark) !=
            std::string::npos)
            return std::to_string(line);
    FAIL("no line is marked " << mark);
    throw;
}

}  // namespace

DEVICE_TEST("A trace tells what each thread did, in its order, with element, phase and line") {
    const TraceFile file;
    reverseBlocks();
    const std::vector<std::string> lines = file.lines();
    REQUIRE(lines.size() == 2 + 2 * 4 * 5);
    CHECK(lines[0] ==
          "launch,block_x,block_y,block_z,thread_x,thread_y,thread_z,step,barriers,"
          "what,space,array,index,bytes,line");
    CHECK(lines[1].find("# launch 0: ") == 0);
    CHECK(lines[1].find("reverse, grid 2 x 1 x 1, block 4 x 1 x 1, ") != std::string::npos);
    // Block 1, thread 2, is the seventh of eight threads.
    const std::string who = "0,1,0,0,2,0,0,";
    const std::vector<std::string> expected{
        who + "0,0,load,global,d_x,6,4," + lineOf("trace-in"),
        who + "1,0,store,shared,s,2,4," + lineOf("trace-in"),
        who + "2,0,barrier,,,,," + lineOf("trace-barrier"),
        who + "3,1,load,shared,s,1,4," + lineOf("trace-out"),
        who + "4,1,store,global,d_y,6,4," + lineOf("trace-out")};
    CHECK(std::vector<std::string>(lines.begin() + 2 + 6 * 5, lines.begin() + 2 + 7 * 5) ==
          expected);
}

DEVICE_TEST("A trace is the same under every schedule and number of host threads") {
    std::vector<std::string> first;
    underEachSchedule(
        [&] {
            const TraceFile file;
            reverseBlocks();
            if (first.empty()) first = file.lines();
            CHECK(file.lines() == first);
        },
        {1, 2});
    CHECK(first.size() == 42);
}

DEVICE_TEST("Several launches stand in one trace, each with its number") {
    const TraceFile file;
    reverseBlocks();
    countUp();
    const std::vector<std::string> lines = file.lines();
    REQUIRE(lines.size() == 42 + 3);
    CHECK(lines[42].find("# launch 1: ") == 0);
    CHECK(lines[43].find("1,0,0,0,0,0,0,0,0,atomic,global,d_counter,0,4,") == 0);
}

DEVICE_TEST("A launch that is too large for a trace is left out, and the file says so") {
    const TraceFile file;
    reverseBlocks(1025);
    const std::vector<std::string> lines = file.lines();
    REQUIRE(lines.size() == 3);
    CHECK(lines[2] == "# left out: it has 4100 threads, a trace holds up to 4096");
}

DEVICE_TEST("Recording a launch changes neither its counts nor its findings") {
    reverseBlocks();
    const cusim::LaunchReport without = cusim::launches().at(0);
    cusim::reset();
    const TraceFile file;
    reverseBlocks();
    const cusim::LaunchReport& with = cusim::launches().at(0);
    CHECK(with.global().loads == without.global().loads);
    CHECK(with.shared().loads == without.shared().loads);
    CHECK(with.warps.sectors == without.warps.sectors);
    CHECK(with.barriers == without.barriers);
    CHECK(cusim::findings().empty());
}
