// Tests the last tile, or the last element, of results with more elements than a char or a short
// counts.
#include <sys/mman.h>

#include <new>
#include <optional>

#include "matrix/compare.h"
#include "testing/device.h"
#include "testing/lab.h"
#include "testing/role.h"

namespace lab {
namespace {

// Matrices whose products are exact.
float ofM(int row, int col) { return static_cast<float>((3 * row + 5 * col) % 7 - 3); }
float ofN(int row, int col) { return static_cast<float>((2 * row + 3 * col) % 5 - 2); }

// Zeros, in large pages if the system has them: each small page costs one page fault.
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

// Multiplies matrices with these elements in what the last tile needs, and zeros elsewhere.
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

// Returns row and column of a wrong element in the last tile; nothing if all are right.
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
    // Runs with a small Width first: tests whether that block computes this tile, and whether
    // matrices are copied as a whole, because a large one row by row takes too long.
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

}  // namespace lab
