// Helpers for the tests of all labs: they run student code so that it cannot end the tests, and
// report failures in sentences.
#pragma once

#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "matrix/catalog.h"
#include "matrix/matrix.h"
#include "matrix/reference.h"
#include "testing/catch.h"
#include "testing/finding.h"
#include "testing/outputs.h"

using testing::Todo;

namespace lab {

using testing::Text;

// Runs student code on a device without memory of earlier calls. Fails the test, with an
// explanation, if the code ends early (exit(), an exception, a crash, a kernel that fails) or the
// simulated device has a finding. `about` names the step or the code, as in Todo(7). `outputs` must
// name all that the code changes in the test's memory.
void run(const Text& about, const Outputs& outputs, const std::function<void()>& studentCode);
void run(const Text& about, const std::function<void()>& studentCode);

// Does the same, but leaves findings of these kinds to a test of their own.
void runIgnoring(const std::vector<std::string>& kinds, const Text& about, const Outputs& outputs,
                 const std::function<void()>& studentCode);

// Adds leaks to the kinds of findings that a test leaves to others: the test of the host side's
// calls reports leaks.
std::vector<std::string> andLeaks(std::vector<std::string> kinds = {});

// A call of student code that multiplies the matrices of a set.
struct ProductRun {
    matrix::DataSet set;
    matrix::Matrix P;
};
using Multiply = std::function<void(const float* M, const float* N, float* P)>;

// Runs a product as runIgnoring does, into a P that contains poison before the call.
ProductRun runProduct(const std::vector<std::string>& kinds, const Text& about, matrix::DataSet set,
                      const Multiply& multiply);

// Does the same for a call that might change M and N as well.
ProductRun runWithInputs(const Text& about, matrix::DataSet set, const Multiply& multiply,
                         const std::vector<std::string>& kinds = {});

// Fails the running test because of findings of the device; the sentences show them.
[[noreturn]] void fail(const std::vector<testing::Finding>& findings, const Text& sentences);

// Returns a value as it is in a sentence.
inline Text shown(const Text& text) { return text; }
inline Text shown(char c) { return std::string{c}; }
template <class Integer, std::enable_if_t<std::is_integral_v<Integer>, int> = 0>
Text shown(Integer number) {
    return std::to_string(number);
}

// Returns the text with each {} replaced by the next value; throws if there are too few {}.
Text filledWith(Text text, const std::vector<Text>& values);

// Does the same with texts, TODOs, characters and whole numbers.
template <class... Values>
Text filled(const Text& text, const Values&... values) {
    return filledWith(text, {shown(values)...});
}

// Fails the running test. `finding` is the stable key, `sentence` says what is missing; each {} in
// it is replaced by one of the values, as for filled(). A TODO is named by a value, as in Todo(7),
// never in the sentence's own words, so that the report knows it.
template <class... Values>
[[noreturn]] void fail(const std::string& finding, const char* sentence, const Values&... values) {
    fail({testing::Finding{finding}}, filled(sentence, values...));
}

// Does the same with a sentence that begins with its subject: "TODO(7): ..." for Todo(7).
template <class... Values>
[[noreturn]] void fail(const std::string& finding, const Text& about, const char* sentence,
                       const Values&... values) {
    fail(finding, "{}: {}", about, filled(sentence, values...));
}

// Declares that the running test can judge nothing before this TODO is done. If it fails, its
// report, `make progress` and `make hint` begin there.
void beginWith(const Todo& todo);

// Declares that, as far as this run shows, the code of no step makes the running test fail: the
// report names a step only if a finding's line is in one.
void blameNoStep();

// Adds a sentence to the end of a run that makes the running test fail, such as a fact of the run.
void addToEnd(const std::string& sentence);

template <class... Values>
[[noreturn]] void failOfNoStep(const std::string& finding, const char* sentence,
                               const Values&... values) {
    blameNoStep();
    fail(finding, sentence, values...);
}

// Declares that the running test cannot show its fact here. It counts neither as passed nor as
// failed, and the report gives the reason.
void leaveOut(const std::string& reason);

// Fails the test, with an explanation, unless P is the product of the set, exactly for integers and
// within a bound for fractions.
void expectProduct(const Text& about, const matrix::Matrix& P, const matrix::DataSet& set);
void expectProduct(const Text& about, const ProductRun& run);
// Does the same, and explains a product with `guess` if no general explanation fits; that may
// return an empty text.
void expectProduct(const Text& about, const ProductRun& run,
                   const std::function<std::string()>& guess);

// Makes expectProduct() call this for each right product, too, for the rest of the program.
void alsoExpectOfProducts(void (*expect)(const Text& about, const matrix::DataSet& set));

// Fails the test because of a wrong product, with this explanation instead of the general one,
// unless it is empty.
[[noreturn]] void failProduct(const Text& about, const ProductRun& run, const Text& explanation);

// Returns what a wrong product looks like: lines for people, empty if nothing explains it.
std::string looksOf(const matrix::Matrix& P, const matrix::DataSet& set);

// Fails the test unless the last `tile` x `tile` elements of a square product of `tiles` tiles per
// row are right: by default more tiles than a char counts. With kOverShort, M, N and P have more
// elements than an unsigned short counts, for tests that use other shapes for more. The simulated
// device runs only the last block. Judges nothing if tiles are so wide that the matrices would be
// too large, or if that block computes other elements. Leaves findings of these kinds to other
// tests.
using SquareMultiply = std::function<void(const float* M, const float* N, float* P, int Width)>;
constexpr int kOverChar = 130, kOverShort = 17;
void expectLastTile(const Text& about, int tileWidth, int tile, const SquareMultiply& multiply,
                    std::vector<std::string> kinds = {}, int tiles = kOverChar);

// Does so for the last element of any other result with as many elements as A, a square whose width
// is a multiple of 32. The call computes it.
using LastOf = std::function<float(const matrix::Matrix& A)>;
void expectLastElement(const Text& about, const LastOf& call, const LastOf& wanted,
                       std::vector<std::string> kinds = {});

// Returns whether a product is right in that sense, by any launch; true if nothing is judged.
bool isRight(const ProductRun& run);

// Fails the test if P has values that no kernel has stored. `fact` says what is right about P.
void expectFromKernels(const Text& about, const std::string& fact, const matrix::Matrix& P);

// Fails the test unless both have the same bits. `what` names the matrix.
void expectUntouched(const char* what, const matrix::Matrix& now, const matrix::Matrix& before);
void expectUntouched(const matrix::DataSet& now, const matrix::DataSet& before);

// Returns the seed for a test's data. With LAB_SEED in the environment it differs from `number`, so
// that a secret LAB_SEED gives data that no student has seen. All programs return the same.
std::uint64_t seedFor(std::uint64_t number);

// Builds a data set from seedFor(spec.seed), see matrix::build. Forgets all described matrices.
matrix::DataSet build(matrix::SetSpec spec);
// Builds a set of this pattern, named after its shape.
matrix::DataSet build(int j, int k, int l, matrix::Pattern pattern, std::uint64_t seed);

// The shape of a product: M is j x k, N is k x l, P is j x l.
struct Shape {
    int j, k, l;
};
inline Shape square(int Width) { return {Width, Width, Width}; }
inline Shape shapeOf(const matrix::DataSet& set) { return {set.spec.j, set.spec.k, set.spec.l}; }

// Returns, for example, "M 2 x 3, N 3 x 4".
std::string text(Shape shape);

// Builds a set of small integers, on which a right kernel's product is exact. Describes its
// matrices to the device.
matrix::DataSet integers(Shape shape);

matrix::DataSet fractions(Shape shape);

// Returns a x b x c; none is negative.
std::uint64_t product(int a, int b, int c = 1);

// Returns how many tiles, or blocks, of this width cover this many elements.
template <class Width>
Width tilesIn(int elements, Width width) {
    return (static_cast<Width>(elements) + width - 1) / width;
}

// Returns the name of an element: "M[2][0]"
template <class Integer>
std::string element(const std::string& matrixName, Integer row, Integer col) {
    return matrixName + "[" + std::to_string(row) + "][" + std::to_string(col) + "]";
}

// Does the same for an element of a matrix with this many columns, counted row by row.
std::string elementAt(std::size_t index, const std::string& matrixName, int cols);

// Returns the indices, row by row, of the elements that still contain poison.
std::vector<std::size_t> unwrittenIn(const matrix::Matrix& P);

// Returns digits in groups of three: "33,554,432"
std::string grouped(unsigned long long n);

// Returns, for example, "1 load", "2 loads" or "33,554,432 loads"; n is not negative.
template <class Integer>
std::string count(Integer n, const std::string& word) {
    return grouped(static_cast<unsigned long long>(n)) + " " + word + (n == 1 ? "" : "s");
}

}  // namespace lab
