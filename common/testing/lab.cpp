#include "testing/lab.h"

#include <sys/mman.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>

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
    const bool early = outcome.message.find("device not ready") != std::string::npos;
    return outcome.message + ".\nThe code under test then ended the program with " + status +
           (early ? "Let the host wait for the work first, as cudaStreamSynchronize and "
                    "cudaEventSynchronize do.\n"
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
    // Findings tell the cause of an early end; without one, the end itself is reported.
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
    fail(keyOf(result.looks), about, "the product is wrong on {}\n{}", set.spec.name,
         result.explanation);
}

namespace {

// Matrices whose products are exact.
float ofM(int row, int col) { return static_cast<float>((3 * row + 5 * col) % 7 - 3); }
float ofN(int row, int col) { return static_cast<float>((2 * row + 3 * col) % 5 - 2); }

// Zeros, in large pages where the system has such, as each small one takes a fault.
class Zeros {
  public:
    explicit Zeros(std::size_t count) : bytes_(count * sizeof(float)) {
        constexpr int kProtection = PROT_READ | PROT_WRITE, kFlags = MAP_PRIVATE | MAP_ANONYMOUS;
        start_ = mmap(nullptr, bytes_, kProtection, kFlags, -1, 0);
        if (start_ == MAP_FAILED) throw std::bad_alloc();
        madvise(start_, bytes_, MADV_HUGEPAGE);
    }
    ~Zeros() { munmap(start_, bytes_); }
    Zeros(const Zeros&) = delete;
    Zeros& operator=(const Zeros&) = delete;
    float* data() { return static_cast<float*>(start_); }

  private:
    std::size_t bytes_;
    void* start_;
};

// Multiplies matrices that hold these elements in what the last tile takes, and zeros elsewhere.
std::function<void()> productOf(int Width, matrix::Matrix& last, const SquareMultiply& multiply) {
    return [Width, &last, &multiply] {
        const int first = Width - last.rows();
        const auto at = [Width](int row, int col) { return product(row, Width) + product(col, 1); };
        const std::size_t elements = product(Width, Width);
        Zeros M(elements), N(elements), P(elements);
        for (int i = first; i < Width; ++i)
            for (int k = 0; k < Width; ++k) {
                M.data()[at(i, k)] = ofM(i, k);
                N.data()[at(k, i)] = ofN(k, i);
            }
        multiply(M.data(), N.data(), P.data(), Width);
        for (int row = 0; row < last.rows(); ++row)
            for (int col = 0; col < last.cols(); ++col)
                last(row, col) = P.data()[at(first + row, first + col)];
    };
}

// Returns where the last tile is wrong: row and column; nothing where it is right.
std::optional<std::pair<int, int>> wrongIn(const matrix::Matrix& last, int Width) {
    const int first = Width - last.rows();
    for (int row = first; row < Width; ++row)
        for (int col = first; col < Width; ++col) {
            float sum = 0.0F;
            for (int k = 0; k < Width; ++k) sum += ofM(row, k) * ofN(k, col);
            if (last(row - first, col - first) != sum) return std::make_pair(row, col);
        }
    return {};
}

const char* const kNarrow =
    "Check the type of each index: a char ends at 127, a short\nat 32,767, an unsigned short at "
    "65,535.";

matrix::Matrix numbers(int width) {
    matrix::Matrix A(width, width);
    for (std::size_t i = 0; i < A.size(); ++i) A.data()[i] = static_cast<float>(i % 251 + 1) / 4;
    return A;
}

// Runs a call that is right with a small size once more, with a large one.
void runLarge(const Text& about, int small, std::vector<std::string> kinds, const Outputs& outputs,
              const std::function<void()>& call) {
    kinds.emplace_back("unset-output");
    try {
        runIgnoring(andLeaks(kinds), about, outputs, call);
    } catch (...) {
        if (device::hasLaunched())
            addToEnd(filled("With a Width of {} the result is right. Check the type of each index.",
                            small)
                         .words);
        throw;
    }
}

}  // namespace

void expectLastTile(const Text& about, int tileWidth, int tile, const SquareMultiply& multiply,
                    std::vector<std::string> kinds, int tiles) {
    if (tileWidth > 16) return;
    std::optional<device::LastBlockOnly> lastBlockOnly(std::in_place);
    const device::WithoutWarps withoutWarps;
    // At a small Width, to see whether that block computes this tile, and whether matrices are
    // copied whole: row by row, a large one takes too long.
    matrix::Matrix last = matrix::poisoned(tile, tile);
    const int small = 3 * tileWidth, Width = tiles * tileWidth;
    device::reset();
    device::runQuietly(gives(last), productOf(small, last, multiply));
    if ((tiles == kOverChar && device::steps() > 40) || wrongIn(last, small)) return;
    const Text named = filled("{}, Width {}", about, grouped(static_cast<unsigned>(Width)));
    runLarge(named, small, kinds, gives(last), productOf(Width, last, multiply));
    if (tiles != kOverChar && wrongIn(last, Width)) {
        lastBlockOnly.reset();  // in a grid of fixed size another block computes it
        runLarge(named, small, std::move(kinds), gives(last), productOf(Width, last, multiply));
    }
    if (!testing::judges()) return;
    if (const auto wrong = wrongIn(last, Width))
        fail("last-rows-or-columns-wrong", about,
             "{} is wrong with a Width of {}, in the last of\n{} blocks along x, after as many "
             "phases.\n{}",
             element("P", wrong->first, wrong->second), Width, tiles, kNarrow);
}

void expectLastElement(const Text& about, const LastOf& call, const LastOf& wanted,
                       std::vector<std::string> kinds) {
    std::optional<device::LastBlockOnly> lastBlockOnly(std::in_place);
    const device::WithoutWarps withoutWarps;
    const int small = 64, large = 288;
    matrix::Matrix A = numbers(small);
    float last = 0.0F;
    device::reset();
    device::runQuietly(gives(last), [&] { last = call(A); });
    if (last != wanted(A)) return;
    A = numbers(large);
    const Text named = filled("{}, {} x {} elements", about, large, large);
    runLarge(named, small, kinds, gives(last), [&] { last = call(A); });
    if (last == wanted(A)) return;
    lastBlockOnly.reset();  // in a grid of fixed size another block computes it
    runLarge(named, small, std::move(kinds), gives(last), [&] { last = call(A); });
    if (testing::judges() && !(last == wanted(A)))
        fail("last-rows-or-columns-wrong", about,
             "the last element is wrong if the result has {} x {}\nelements.\n{}", large, large,
             kNarrow);
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
