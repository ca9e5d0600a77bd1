// Compares the answers with measurements: on the student's kernel, on those of given.cu, or from
// the device's properties.
#include <algorithm>
#include <numeric>

#include "lab1_naive/answers/given.h"
#include "lab1_naive/device_matrices.h"
#include "testing/questions.h"

using matrix::Matrix;
using questions::expectNumber;
using questions::expectRounded;
using questions::expectWord;
using questions::Product;
using questions::sum;

namespace {

// Multiplies with the student's kernel, in blocks of blockWidth x blockWidth.
Product multiplied(const Matrix& M, const Matrix& N, unsigned blockWidth) {
    return questions::productOf(M, N, [&](Product& run) {
        run.P = launchKernel(run.M, run.N, dim3(blockWidth, blockWidth));
    });
}

double loads(const Product& run) { return static_cast<double>(run.launch.global().loads); }

// Multiplies ones, whose product counts its own terms; the counts do not depend on the values.
// Width 1 first tests the kernel: a single product needs one load of M and one of N.
Product ones(int Width, unsigned blockWidth = 16) {
    if (Width != 1 && loads(ones(1)) != 2)
        questions::kernelFirst("which makes more than the two loads that a single product needs.");
    return multiplied(Matrix(Width, Width, 1.0F), Matrix(Width, Width, 1.0F), blockWidth);
}

// Counts a multiplication and an addition for each term.
double operations(const Product& run) { return 2 * sum(run.P); }

double operationsPerLoad(const Product& run) { return operations(run) / loads(run); }

// Returns 10^9 operations a second for a bandwidth in 10^9 bytes a second.
double allowed(const Product& run, double bandwidth) {
    return bandwidth * operations(run) / static_cast<double>(run.launch.global().loadedBytes);
}

// Returns whether an element of an input is loaded more than once.
double anyLoadedAgain() {
    for (const cusim::ArrayReport& array : cusim::launches().front().arrays) {
        if (array.allocation < 0) continue;
        for (const std::uint32_t times : array.elementLoads)
            if (times > 1) return yes;
    }
    return no;
}

const int kSize = 32;

// Blurs ones, so that each sum counts its terms; returns the loads.
double blurred(Matrix& out) {
    const Matrix in(kSize, kSize, 1.0F);
    out = matrix::poisoned(kSize, kSize);
    return static_cast<double>(
        questions::launchOf(lab::gives(out).from(in),
                            [&] { given::blur(in.data(), out.data(), kSize); })
            .global()
            .loads);
}

const char* const kTraffic = "See \"What it costs\", and the loop over k in your kernel: ";
const char* const kRoof =
    "See \"What it costs\": each load brings 4 bytes. How many operations are made per load?";

}  // namespace

TEST_CASE("Q1: the loads at Width 32") {
    expectNumber(
        "Q1_loads",
        std::string(kTraffic) +
            "how many threads run this loop, how many steps has it, and how many loads has a step?",
        [] { return loads(ones(32)); });
}

TEST_CASE("Q2: the stores at Width 32") {
    expectNumber("Q2_stores", "See \"The kernel\", step 4: which threads store, and how often?",
                 [] { return ones(32).launch.global().stores; });
}

TEST_CASE("Q3: the loads when Width is doubled") {
    expectNumber("Q3_doubled",
                 std::string(kTraffic) +
                     "by which factor do the threads grow, and by which the steps of each thread?",
                 [] { return loads(ones(64)) / loads(ones(32)); });
}

TEST_CASE("Q4: the elements of M that one thread loads") {
    expectNumber(
        "Q4_walk",
        "See \"The kernel\", steps 1 and 3: compute Row and Col of this thread, then write down "
        "the indices that it loads.",
        [] {
            // Each element of M is its own index and those of N are 1, so that P holds sums of M's
            // indices.
            Matrix M(4, 4);
            std::iota(M.data(), M.data() + M.size(), 0.0F);
            const Product run = multiplied(M, Matrix(4, 4, 1.0F), 2);
            const dim3 thread(1, 0), block(0, 1);
            const int Row = static_cast<int>(block.y * 2 + thread.y);
            const int Col = static_cast<int>(block.x * 2 + thread.x);
            return run.P(Row, Col);
        });
}

TEST_CASE("Q5: threads without an element of P") {
    expectNumber(
        "Q5_outside",
        "See \"The host side\", step 7: how many blocks are there in x and in y, and how many "
        "threads do they have?",
        [] {
            const Product run = ones(100);
            return static_cast<double>(run.launch.threads) - static_cast<double>(run.P.size());
        });
}

TEST_CASE("Q6: operations per load") {
    expectNumber(
        "Q6_ratio",
        std::string(kTraffic) + "what does one step load, and which operations does it make?",
        [] { return operationsPerLoad(ones(32)); });
}

TEST_CASE("Q7: GFLOP/s with 200 GB/s") {
    expectRounded("Q7_cap", kRoof, [] { return allowed(ones(32), 200); });
}

TEST_CASE("Q8: the percentage of 1,500 GFLOP/s") {
    expectRounded("Q8_percent",
                  "Divide the GFLOP/s of Q7 by those of the device. The answer is in percent: 50 "
                  "means half. C++ cuts off the quotient of two whole numbers: write 1500.0.",
                  [] { return 100 * allowed(ones(32), 200) / 1500; });
}

TEST_CASE("Q9: operations per load for a peak of 12,000 GFLOP/s") {
    expectRounded(
        "Q9_needed",
        "Compute how many loads of 4 bytes the device makes per second, as for Q7. Then divide "
        "the operations per second by these loads.",
        [] {
            const Product run = ones(32);
            return operationsPerLoad(run) * 12000 / allowed(run, 1000);
        });
}

TEST_CASE("Q10: the largest Width with blocks of 32 x 32") {
    expectNumber("Q10_widest",
                 "See \"The host side\", step 7: how many rows of P does a row of blocks cover?",
                 [] {
                     cudaDeviceProp device{};
                     cudaGetDeviceProperties(&device, 0);
                     return 32.0 * device.maxGridSize[1];
                 });
}

TEST_CASE("Q11: operations per load in a blur") {
    expectNumber(
        "Q11_blur",
        "Count the loads and the additions of floats in the innermost loop of blurKernel, in "
        "answers/given.cu. Do not count arithmetic on indices.",
        [] {
            Matrix out;
            const double loaded = blurred(out);
            return sum(out) / loaded;
        });
}

TEST_CASE("Q12: kernels that shared loads would help") {
    const char* const think =
        "Threads can share a load if several of them need the same element. Take one element of "
        "an input: how many results need it?";
    const auto blur = [] {
        const lab::CountElements counting;
        Matrix out;
        blurred(out);
        return anyLoadedAgain();
    };
    const auto addition = [] {
        const lab::CountElements counting;
        const Matrix A(kSize, kSize, 1.0F);
        Matrix C = matrix::poisoned(kSize, kSize);
        questions::launchOf(lab::gives(C).from(A),
                            [&] { given::add(A.data(), A.data(), C.data(), kSize, kSize); });
        return anyLoadedAgain();
    };
    expectWord("Q12_blur_gains", "yes or no", std::string("The blur: ") + think, blur);
    expectWord("Q12_addition_gains", "yes or no", std::string("The addition: ") + think, addition);
}
