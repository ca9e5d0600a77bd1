#include "testing/lab.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>

#include "matrix/compare.h"
#include "testing/device.h"
#include "testing/reporter.h"
#include "testing/role.h"
#include "testing/seed.h"

namespace lab {
namespace {

std::string afterExit(const device::Outcome& outcome) {
    const std::string status = "exit(" + std::to_string(outcome.exitStatus) + ").\n    Remedy: ";
    if (outcome.message.empty())
        return "the code under test ended the program with " + status +
               "Let the function return. Only CHECK may call exit, if a CUDA call fails; CHECK "
               "prints which one.\n";
    const auto says = [&](const char* error) {
        return outcome.message.find(error) != std::string::npos;
    };
    return outcome.message + ".\nThe code under test then ended the program with " + status +
           (says("device not ready") ? "Let the host wait for the work first, as "
                                       "cudaStreamSynchronize and cudaEventSynchronize do.\n"
            : says("operation not permitted")
                ? "Make the call outside of that function, after the host has waited for the "
                  "stream.\n"
                : "Check the arguments of the call: they break a limit or a rule.\n");
}

ProductRun notRun(matrix::DataSet set) {
    matrix::Matrix P = matrix::poisoned(set.spec.j, set.spec.l);
    device::describeMatrix(P.data(), P.rows(), P.cols());
    return {std::move(set), std::move(P)};
}

matrix::Comparison compared(const matrix::Matrix& P, const matrix::DataSet& set) {
    const bool exact = matrix::isExact(set.spec.pattern, set.spec.k);
    return matrix::compare(P, set.M, set.N, matrix::multiply(set.M, set.N), exact);
}

// Returns the key of a wrong product for graders: "last rows" becomes "last-rows".
std::string keyOf(matrix::Looks looks) {
    std::string key = matrix::name(looks);
    for (char& c : key)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '-';
    return key;
}

// What expectProduct expects beside the values; none at first.
void (*expectMore)(const Text& about, const matrix::DataSet& set);

}  // namespace

Text filledWith(Text text, const std::vector<Text>& values) {
    std::size_t at = 0;
    for (const Text& value : values) {
        at = text.words.find("{}", at);
        text.words.replace(at, 2, value.words);
        at += value.words.size();
        text.todos.insert(text.todos.end(), value.todos.begin(), value.todos.end());
    }
    return text;
}

void fail(const std::vector<testing::Finding>& findings, const Text& sentences) {
    for (const testing::Finding& finding : findings) testing::noteFinding(finding);
    testing::noteNamed(sentences.todos);
    FAIL(sentences.words);
    throw;  // never reached; the compiler does not know that FAIL throws
}

void beginWith(const Todo& todo) { testing::noteBegin(todo); }
void addToEnd(const std::string& sentence) { testing::addToEndOfRun(sentence); }
void blameNoStep() { testing::noteOfNoStep(); }
void leaveOut(const std::string& reason) { testing::noteLeftOut(reason); }

void run(const Text& about, const Outputs& outputs, const std::function<void()>& studentCode) {
    runIgnoring({}, about, outputs, studentCode);
}

void run(const Text& about, const std::function<void()>& studentCode) {
    run(about, gives(), studentCode);
}

void runIgnoring(const std::vector<std::string>& kinds, const Text& about, const Outputs& outputs,
                 const std::function<void()>& studentCode) {
    const device::Outcome outcome = device::run(outputs, studentCode);
    std::string text;
    for (const device::Problem& problem : outcome.problems) {
        if (std::find(kinds.begin(), kinds.end(), problem.finding.kind) != kinds.end()) continue;
        testing::noteFinding(problem.finding);
        if (text.size() < 3000) text += problem.text;
    }
    // Findings give the cause of an early end; without one, the end itself is reported.
    if (text.empty() && outcome.how != device::Outcome::Returned) {
        const bool exited = outcome.how == device::Outcome::Exited;
        testing::Finding finding{exited ? "early-exit" : "exception", outcome.at};
        finding.failedCall = outcome.failedCall;
        testing::noteFinding(finding);
        text = exited ? afterExit(outcome)
                      : "the code under test threw an exception: " + outcome.message + "\n";
    }
    if (text.empty()) return;
    const testing::EndOfRun end{about, text};
    testing::noteEndOfRun(end);
    FAIL(testing::told(end));
}

std::vector<std::string> andLeaks(std::vector<std::string> kinds) {
    kinds.push_back("leak");
    return kinds;
}

ProductRun runProduct(const std::vector<std::string>& kinds, const Text& about, matrix::DataSet set,
                      const Multiply& multiply) {
    ProductRun run = notRun(std::move(set));
    runIgnoring(kinds, about, gives(run.P).from(run.set.M, run.set.N),
                [&] { multiply(run.set.M.data(), run.set.N.data(), run.P.data()); });
    return run;
}

ProductRun runWithInputs(const Text& about, matrix::DataSet set, const Multiply& multiply,
                         const std::vector<std::string>& kinds) {
    ProductRun run = notRun(std::move(set));
    runIgnoring(kinds, about, gives(run.P, run.set.M, run.set.N),
                [&] { multiply(run.set.M.data(), run.set.N.data(), run.P.data()); });
    return run;
}

std::string looksOf(const matrix::Matrix& P, const matrix::DataSet& set) {
    if (!testing::judges()) return "";
    const matrix::Comparison result = compared(P, set);
    return result.looks == matrix::Looks::Right || result.looks == matrix::Looks::Other
               ? ""
               : result.sentence;
}

bool isRight(const ProductRun& run) {
    return !testing::judges() || compared(run.P, run.set).passed;
}

void expectProduct(const Text& about, const ProductRun& run) {
    expectProduct(about, run.P, run.set);
}

void expectProduct(const Text& about, const ProductRun& run,
                   const std::function<std::string()>& guess) {
    if (testing::judges() && compared(run.P, run.set).looks == matrix::Looks::Other)
        if (const std::string known = guess(); !known.empty()) failProduct(about, run, known);
    expectProduct(about, run);
}

void alsoExpectOfProducts(void (*expect)(const Text& about, const matrix::DataSet& set)) {
    expectMore = expect;
}

void failProduct(const Text& about, const ProductRun& run, const Text& explanation) {
    matrix::Comparison result = compared(run.P, run.set);
    if (!explanation.words.empty())
        result.explanation.resize(result.explanation.size() - result.sentence.size());
    fail(keyOf(result.looks), about, "the product is wrong on {}\n{}{}", run.set.spec.name,
         result.explanation, explanation);
}

void expectProduct(const Text& about, const matrix::Matrix& P, const matrix::DataSet& set) {
    if (!testing::judges()) return;
    const matrix::Comparison result = compared(P, set);
    if (result.passed) {
        expectFromKernels(about, "the product is right on " + set.spec.name, P);
        if (expectMore) expectMore(about, set);
        return;
    }
    // The products themselves are right then.
    if (result.looks == matrix::Looks::RowsElsewhere) blameNoStep();
    fail(keyOf(result.looks), about, "the product is wrong on {}\n{}", set.spec.name,
         result.explanation);
}

void expectFromKernels(const Text& about, const std::string& fact, const matrix::Matrix& P) {
    const std::size_t missing = device::notStoredByKernels(P);
    if (missing == 0) return;
    const Text it =
        missing == P.size() ? "it" : filled("{} of\nits {}", missing, count(P.size(), "element"));
    fail("no-kernel", about,
         "{}, but no kernel has stored {}.\nCompute it on the device: launch the kernel, and copy "
         "its result.",
         fact, it);
}

void expectUntouched(const char* what, const matrix::Matrix& now, const matrix::Matrix& before) {
    if (now == before) return;
    fail("input-changed",
         "{} has changed: the kernel or a copy wrote into it. Only read the inputs, and store only "
         "into P.",
         what);
}

void expectUntouched(const matrix::DataSet& now, const matrix::DataSet& before) {
    expectUntouched("M", now.M, before.M);
    expectUntouched("N", now.N, before.N);
}

std::uint64_t seedFor(std::uint64_t number) {
    const char* const given = testing::seed();
    if (!given) return number;
    // Hashes the seed's text and the number by FNV-1a.
    std::uint64_t hash = 0xCBF29CE484222325U;
    for (const char c : std::string(given) + " " + std::to_string(number))
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
    return hash;
}

matrix::DataSet build(matrix::SetSpec spec) {
    // Matrices of earlier sets would give later arrays of their size wrong rows and columns.
    device::forgetMatrices();
    spec.seed = seedFor(spec.seed);
    return matrix::build(spec);
}

matrix::DataSet build(int j, int k, int l, matrix::Pattern pattern, std::uint64_t seed) {
    return build({matrix::setName(j, k, l, pattern), j, k, l, pattern, seed});
}

std::string text(Shape shape) {
    return filled("M {} x {}, N {} x {}", shape.j, shape.k, shape.k, shape.l);
}

matrix::DataSet fractions(Shape shape) {
    return build(shape.j, shape.k, shape.l, matrix::Pattern::Uniform, 2);
}

matrix::DataSet integers(Shape shape) {
    const auto [j, k, l] = shape;
    matrix::DataSet set = build(j, k, l, matrix::Pattern::SmallIntegers, 1);
    device::describeMatrix(set.M.data(), j, k);
    device::describeMatrix(set.N.data(), k, l);
    device::describeMatrix(nullptr, j, l);
    return set;
}

std::uint64_t product(int a, int b, int c) {
    return static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b) *
           static_cast<std::uint64_t>(c);
}

std::string elementAt(std::size_t index, const std::string& matrixName, int cols) {
    const auto width = static_cast<std::size_t>(cols);
    return element(matrixName, index / width, index % width);
}

std::vector<std::size_t> unwrittenIn(const matrix::Matrix& P) {
    const matrix::Matrix before = matrix::poisoned(P.rows(), P.cols());
    std::vector<std::size_t> unwritten;
    for (std::size_t i = 0; i < P.size(); ++i)
        if (std::memcmp(P.data() + i, before.data() + i, sizeof(float)) == 0)
            unwritten.push_back(i);
    return unwritten;
}

std::string grouped(unsigned long long n) {
    std::string digits = std::to_string(n);
    for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
    return digits;
}

}  // namespace lab
