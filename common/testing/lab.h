// What the tests of all labs share: running student code so that nothing it does can end the
// tests, and turning what went wrong into sentences.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "matrix/catalog.h"
#include "matrix/matrix.h"
#include "matrix/reference.h"
#include "testing/catch.h"
#include "testing/finding.h"
#include "testing/outputs.h"

namespace lab {

// Runs student code on a device without memory of earlier calls. Whatever ends it (exit(), an
// exception, a crash, a kernel that fails) and whatever the simulated device found fails the test
// with an explanation. `todo` names the step that a student has to look at, such as "TODO(7)".
// All that the code changes in the test's memory is among its outputs.
void run(const std::string& todo, const std::function<void()>& studentCode,
         const Outputs& outputs = gives());

// The same, but findings of these kinds are left to a test of their own.
void runIgnoring(const std::vector<std::string>& kinds, const std::string& todo,
                 const std::function<void()>& studentCode, const Outputs& outputs = gives());

// A call of student code that multiplies the matrices of a set.
struct ProductRun {
    matrix::DataSet set;
    matrix::Matrix P;
};
using Multiply = std::function<void(const float* M, const float* N, float* P)>;

// As runIgnoring. P holds poison before the call.
ProductRun runProduct(const std::vector<std::string>& kinds, const std::string& todo,
                      matrix::DataSet set, const Multiply& multiply);

// Fails the running test: `finding` is the stable key, `sentence` says what lacks.
[[noreturn]] void fail(const std::string& finding, const std::string& sentence);

// The same because of findings of the device, which the sentences show.
[[noreturn]] void fail(const std::vector<testing::Finding>& findings, const std::string& sentences);

// The running test can judge nothing before this TODO is done: where it fails, its report, `make
// progress` and `make hint` begin there.
void beginWith(const std::string& todo);

// The running test cannot show its fact here: it counts neither as passed nor as failed, and the
// report says that it is left out, and why.
void leaveOut(const std::string& reason);

// Fails the test, with an explanation, unless P is right.
void expectProduct(const std::string& todo, const matrix::Matrix& P, const matrix::DataSet& set);

// Fails the test where P holds what no kernel has stored: `fact` is what is right about it.
void expectFromKernels(const std::string& todo, const std::string& fact, const matrix::Matrix& P);

// Fails the test unless both hold the same bits. `what` names the matrix.
void expectUntouched(const char* what, const matrix::Matrix& now, const matrix::Matrix& before);

// What to draw data from where a test names this number: with LAB_SEED in the environment another
// one, so that a secret LAB_SEED gives data that nobody has seen. The same in every program.
std::uint64_t seedFor(std::uint64_t number);

// As matrix::build, from seedFor(spec.seed).
matrix::DataSet build(matrix::SetSpec spec);
// Builds a set of this pattern, named after its shape.
matrix::DataSet build(int j, int k, int l, matrix::Pattern pattern, std::uint64_t seed);

// A set with small integers, so that a right kernel's result is exact: j x k times k x l.
matrix::DataSet integers(int j, int k, int l, std::uint64_t seed = 1);

// "1 load", "2 loads", "33,554,432 loads"
std::string count(unsigned long long n, const std::string& word);

}  // namespace lab
