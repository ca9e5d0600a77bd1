// Calls a step's function. The tests know of its kernel only what this call does.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <string>
#include <vector>

#include "lab4_memtypes/registers/registers.h"
#include "matrix/compare.h"
#include "testing/lab.h"
#ifdef CUDA_SIMULATED_DEVICE
#include "simulator/simulator.h"
#endif

using lab::Shape;

struct Step {
    lab::Text about;  // the TODO or the function; begins the sentences
    Multiply* multiply;
};

inline lab::ProductRun runStep(const Step& step, matrix::DataSet set,
                               const std::vector<std::string>& leftToOtherTests = {}) {
    const Shape shape = lab::shapeOf(set);
    return lab::runProduct(leftToOtherTests, step.about, std::move(set), [&](auto... matrices) {
        step.multiply(matrices..., shape.j, shape.k, shape.l);
    });
}

// Fails the test unless the product is right for each shape, with fractions in the last one.
inline void expectRight(const Step& step, const std::vector<Shape>& shapes) {
    for (const Shape shape : shapes) {
        INFO(lab::text(shape));
        lab::expectProduct(step.about, runStep(step, lab::integers(shape)));
    }
    // Of a char, 256 phases are too many.
    for (const Shape shape : {Shape{300, 4, 4}, {4, 2056, 4}, {4, 4, 300}})
        lab::expectProduct(step.about, runStep(step, lab::integers(shape)));
    const lab::ProductRun run = runStep(step, lab::fractions(shapes.back()));
    const float* const P = run.P.data();
    if (!lab::isRight(run) && std::all_of(P, P + run.P.size(), [](float v) { return v == 0.0F; }))
        lab::fail("all-zero", step.about,
                  "the product is right on whole numbers, but on {}\nevery element is 0: the "
                  "fractions are cut off. Is Pvalue, m, n or a tile an\nint?",
                  run.set.spec.name);
    lab::expectProduct(step.about, run);
}

// Returns in which lines, at most half of all, the wrong elements lie; empty where they lie in
// more.
inline std::string wrongLines(const lab::ProductRun& run, const std::vector<double>& right,
                              bool ofRows) {
    const matrix::Matrix& P = run.P;
    std::vector<int> lines;
    bool zero = true;
    const int n = ofRows ? P.rows() : P.cols(), length = ofRows ? P.cols() : P.rows();
    for (int line = 0; line < n; ++line) {
        int wrong = 0;
        for (int i = 0; i < length; ++i) {
            const std::size_t at = ofRows ? P.index(line, i) : P.index(i, line);
            if (P.data()[at] == static_cast<float>(right[at])) continue;
            ++wrong;
            zero &= P.data()[at] == 0.0F;
        }
        if (wrong > 0 && 2 * wrong < length) return "";
        if (wrong > 0) lines.push_back(line);
    }
    if (lines.size() < 4 || 2 * lines.size() > static_cast<std::size_t>(n)) return "";
    return lab::filled(
        "Only {}s {}, {}, {} ... {} of P hold wrong elements{}.\nWhich of a thread's sums belong "
        "there, and what is {} them?",
        ofRows ? "row" : "column", lines[0], lines[1], lines[2], lines.back(),
        zero ? ", and these are 0" : "", zero ? "left out for" : "added to");
}

// Tests whether only the store is to blame: elements were never written, and each row, or each
// column, holds sums that belong into one.
inline bool onlyStoreIsWrong(const lab::ProductRun& run) {
    const matrix::Matrix& P = run.P;
    const std::vector<std::size_t> unwritten = lab::unwrittenIn(P);
    if (unwritten.empty() || unwritten.size() == P.size() || P.rows() != P.cols()) return false;
    const std::vector<double> right = matrix::multiply(run.set.M, run.set.N).product;
    std::vector<bool> written(P.size(), true);
    for (const std::size_t i : unwritten) written[i] = false;
    const int n = P.rows();
    const auto holdsLines = [&](bool ofRows) {
        const auto at = [&](int line, int i) {
            return ofRows ? P.index(line, i) : P.index(i, line);
        };
        for (int line = 0; line < n; ++line) {
            // A few sums fit a line by chance.
            int sums = 0;
            for (int i = 0; i < n; ++i) sums += written[at(line, i)];
            bool found = sums == 0;
            for (int other = 0; other < n && !found; ++other) {
                int i = 0;
                while (i < n && (!written[at(line, i)] ||
                                 P.data()[at(line, i)] == static_cast<float>(right[at(other, i)])))
                    ++i;
                found = i == n && sums >= 8;
            }
            if (!found) return false;
        }
        return true;
    };
    return holdsLines(true) || holdsLines(false);
}

// Returns how a tile of P that is 64 x 64, of 8 rows or of 8 x 8 elements a thread, differs from
// the right one where only the sums of the threads have changed their places or were added up;
// empty where that does not explain it.
inline std::string placesOfSums(const lab::ProductRun& run) {
    const matrix::Matrix& P = run.P;
    const std::vector<double> right = matrix::multiply(run.set.M, run.set.N).product;
    const int n = P.rows();
    const auto at = [&](int row, int col) { return static_cast<float>(right[P.index(row, col)]); };
    const auto fits = [&](const auto& wanted) {
        for (int row = 0; row < n; ++row)
            for (int col = 0; col < n; ++col)
                if (!(P(row, col) == wanted(row, col))) return false;
        return true;
    };
    // The first line that holds what belongs into another one, where each line holds one's content.
    for (const bool ofRows : {true, false}) {
        const auto line = [&](int i, int k, const auto& from) {
            return ofRows ? from(i, k) : from(k, i);
        };
        int first = -1, holds = -1, found = 0;
        for (int i = 0; i < n; ++i)
            for (int other = 0; other < n; ++other) {
                int k = 0;
                while (k < n && line(i, k, P) == line(other, k, at)) ++k;
                if (k < n) continue;
                ++found;
                if (i != other && first < 0) first = i, holds = other;
                break;
            }
        const char* const name = ofRows ? "row" : "column";
        if (found == n && first >= 0)
            return lab::filled(
                "The sums are right, but in other {}s: {} {} of P holds what belongs "
                "into {} {}.\nA {} of P is computed from one place and stored in "
                "another one.",
                name, name, first, name, holds, name);
    }
    constexpr int kEach = 8;  // TM and TN, BM / TM and BN / TN
    if (n != kEach * kEach) return "";
    if (fits([&](int row, int col) {
            return at(row % kEach + col / kEach * kEach, col % kEach + row / kEach * kEach);
        }))
        return "The sums are right, but each thread stores Pvalue[b][a] in the place of "
               "Pvalue[a][b]:\n"
               "its rows and columns are exchanged.";
    if (fits([&](int row, int col) {
            float sum = 0.0F;
            for (int a = 0; row % kEach == 0 && a < kEach; ++a) sum += at(row + a, col);
            return sum;
        }))
        return "Row 0 of P holds the sum of rows 0 to 7, and rows 1 to 7 are 0; so it is in every "
               "8:\n"
               "each thread adds the products of its rows to one sum.";
    const std::string rows = wrongLines(run, right, true);
    return rows.empty() ? wrongLines(run, right, false) : rows;
}

// Fails the test unless a single tile of P is right, which needs no code for edges. `store` is the
// TODO of the step's store.
inline void expectOneTile(const Step& step, const Todo& store) {
    const lab::ProductRun run = runStep(step, lab::integers({64, 16, 64}), {"unset-output"});
#ifdef CUDA_SIMULATED_DEVICE
    const auto& all = cusim::launches();
    if (!all.empty() && all.front().global().stores == 0) {
        lab::beginWith(store);
        lab::fail("never-written", step.about,
                  "nothing is stored into P. It may be right, and can be judged when the "
                  "store,\n{}, is there.",
                  store);
    }
    // The tiles are 64 x BK and BK x 64, and each phase has two barriers, or too few.
    const cusim::LaunchReport launch = all.empty() ? cusim::LaunchReport{} : all.front();
    const std::uint64_t bytes = launch.staticSharedBytes + launch.dynamicSharedBytes;
    const std::uint64_t depth =
        std::min<std::uint64_t>(8, 2 * 16 / std::max<std::uint64_t>(1, launch.barriersPerThread));
    const std::uint64_t wanted = depth * 2 * 64 * sizeof(float);
    if (bytes > 0 && bytes < wanted && !lab::isRight(run))
        lab::failOfNoStep("shared-memory",
                          "{}: a block takes {} of shared memory, where two\ntiles of floats take "
                          "{}. Is each declared with __shared__, and of float?\nWithout __shared__ "
                          "an array is each thread's own: no thread sees what\nanother one loads.",
                          step.about, lab::count(bytes, "byte"), lab::grouped(wanted));
#endif
    if (!lab::isRight(run) && onlyStoreIsWrong(run)) {
        const std::size_t unwritten = lab::unwrittenIn(run.P).size();
        lab::beginWith(store);
        lab::fail("partly-written", store,
                  "{} of P were never written, {} the first; what is\nstored are right sums. Does "
                  "the store take all sums of a thread, each to its\nrow and column?",
                  lab::count(unwritten, "element"),
                  lab::elementAt(lab::unwrittenIn(run.P).front(), "P", run.P.cols()));
    }
    lab::expectProduct(step.about, run, [&] { return placesOfSums(run); });
}
