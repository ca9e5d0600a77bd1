// Lists the kernels of hazards.cu, each with an input and its right result.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "lab2_tiled/exact.h"
#include "lab2_tiled/hazards/hazards.h"
#include "testing/chosen_tile_width.h"

namespace hazards {

using matrix::Matrix;

// Findings that tests of values ignore: a racy kernel may be right by chance, and one that reads
// too early lacks a barrier. The tests of barriers report both.
inline const std::vector<std::string> kOfBarriers = {"race", "unset-read"};

// A kernel's call with the content of its output before and after.
struct Trial {
    std::string function;
    Matrix out, wanted;
    std::function<void(float* out)> call;
    exact::Guess guess;
    std::string filled = {};  // the name of the array that the kernel is to fill, and not to load
};

// Returns the width of the tiles; fails the test unless it is the one that make chose, because the
// inputs fit that one only.
inline int widthOfTiles() {
    int width = 0;
    lab::run("tileWidth", lab::gives(width), [&] { width = tileWidth(); });
    const int chosen = testing::chosenTileWidth();
    if (width != chosen)
        lab::fail("tile-width",
                  "tileWidth() is {} instead of {}.\nTo use another one, run make test "
                  "TILE_WIDTH=n, and do not change it in the file.",
                  width, chosen);
    return width;
}

// Returns which factors, or which other element of the tile, give this result.
inline std::string answersIn(const Matrix& got, const Matrix& in) {
    const int T = in.rows();
    const char* const names[] = {"own", "transposed", "turned"};
    const char* const right[] = {"tile[ty][tx]", "tile[tx][ty]", "tile[TILE_WIDTH - tx - 1][ty]"};
    const int wanted[] = {1, 2, 4};
    // The three elements that a thread reads, or one of them from elsewhere.
    const auto termAt = [&](int term, int y, int x) {
        return term == 0 ? in(y, x) : term == 1 ? in(x, y) : in(T - x - 1, y);
    };
    const auto isSum = [&](const int* factors, int other, const auto& elsewhere) {
        return exact::holds(got, [&](int y, int x) {
            float sum = 0.0F;
            for (int term = 0; term < 3; ++term)
                sum += static_cast<float>(factors[term]) *
                       (term == other ? elsewhere(y, x) : termAt(term, y, x));
            return sum;
        });
    };
    const auto nowhere = [](int, int) { return 0.0F; };
    constexpr int kMost = 9;
    for (int i = 0; i < (2 * kMost + 1) * (2 * kMost + 1) * (2 * kMost + 1); ++i) {
        const int n = 2 * kMost + 1;
        const int factors[] = {i % n - kMost, i / n % n - kMost, i / n / n - kMost};
        if (isSum(factors, -1, nowhere))
            return lab::filled(
                "Each element is {} own + {} transposed + {} turned instead of {}, {} and {}\nof "
                "them: see where the tile is written again.",
                factors[0], factors[1], factors[2], 1, 2, 4);
    }
    for (int term = 0; term < 3; ++term) {
        const std::string read = exact::tileElement("tile", [&](const auto& row, const auto& col) {
            return isSum(wanted, term,
                         [&](int y, int x) { return in(row.at(y, x, T), col.at(y, x, T)); });
        });
        if (isSum(wanted, term, [&](int y, int x) { return std::trunc(termAt(term, y, x)); }))
            return lab::filled("Each element is right if {} loses its fraction: is it an int?",
                               names[term]);
        if (!read.empty())
            return lab::filled("{} is what {} gives; it should be\n{}.", names[term], read,
                               right[term]);
    }
    return "";
}

inline Trial onFourQuestions() {
    const int T = widthOfTiles();
    const Matrix in = exact::numbers(T, T);
    const auto wanted = [&](int y, int x) {
        return in(y, x) + 2 * in(x, y) + 4 * in(T - x - 1, y);
    };
    return {"fourQuestions",
            matrix::poisoned(T, T),
            exact::right(T, T, wanted),
            [in](float* out) { fourQuestions(in.data(), out); },
            [in](const Matrix& got) { return answersIn(got, in); },
            "out"};
}

// Uses a matrix of so many squares.
inline Trial onBlockTranspose(int BLOCK_WIDTH, int high = 2, int wide = 3) {
    const int rows = high * BLOCK_WIDTH, cols = wide * BLOCK_WIDTH;
    const Matrix in = exact::numbers(rows, cols);
    const auto wanted = [&](int r, int c) {
        const int top = r / BLOCK_WIDTH * BLOCK_WIDTH, left = c / BLOCK_WIDTH * BLOCK_WIDTH;
        return in(top + c - left, left + r - top);
    };
    const auto guess = [=](const Matrix& got) -> std::string {
        if (got == in)
            return "Every element is unchanged: each thread stores what it has loaded, or "
                   "nothing.\nCompare the line that fills blockA with the line that reads it: one "
                   "of them must\nuse [ty][tx], the other one [tx][ty].";
        const std::string read = exact::tileElement("blockA", [&](const auto& y, const auto& x) {
            return exact::holds(got, [&](int r, int c) {
                const int ty = r % BLOCK_WIDTH, tx = c % BLOCK_WIDTH;
                return in(r - ty + y.at(ty, tx, BLOCK_WIDTH), c - tx + x.at(ty, tx, BLOCK_WIDTH));
            });
        });
        return read.empty() ? "" : "Each square holds " + read + " instead of blockA[tx][ty].";
    };
    return {"blockTranspose", in, exact::right(rows, cols, wanted),
            [=](float* A) { blockTranspose(A, rows, cols, BLOCK_WIDTH); }, guess};
}

// Returns which part of its sum divides each column, or each element; empty for none.
inline std::string partOfNorm(const Matrix& got, const Matrix& A, int threads) {
    using Sums = std::vector<double>;  // one per thread
    const auto isBy = [&](const auto& divisor, int blocks = 1) {
        for (int i = 0; i < A.rows() * A.cols(); ++i) {
            const int r = i / A.cols(), c = i % A.cols();
            Sums sums(static_cast<std::size_t>(threads));
            for (int row = 0; row < A.rows(); ++row)
                if (blocks == 1 || row / threads % blocks == c)
                    sums[static_cast<std::size_t>(row % threads)] += std::fabs(A(row, c));
            const double by = divisor(sums, static_cast<std::size_t>(r % threads));
            const float quotient = A(r, c) / static_cast<float>(by);
            if (got(r, c) != quotient && !(std::isnan(quotient) && std::isnan(got(r, c))))
                return false;
        }
        return true;
    };
    // Returns a thread's element of partial after the steps of the tree from kb down to `last`.
    const auto added = [](Sums& partial, int kb, int last, std::size_t tid) {
        for (; kb >= last; kb /= 2)
            for (int t = 0; t < kb; ++t)
                partial[static_cast<std::size_t>(t)] += partial[static_cast<std::size_t>(t + kb)];
        return partial[tid];
    };
    const int half = threads / 2;
    if (isBy([&](Sums& sums, std::size_t) { return added(sums, half, 1, 0); }, A.cols()))
        return "A block leaves out the rows of the other blocks, but no other block has its "
               "column:\nlet Row begin at tid and grow by blockDim.x.";
    if (isBy([](Sums& sums, std::size_t tid) { return sums[tid]; }) ||
        isBy([&](Sums& sums, std::size_t tid) { return added(sums, half, 1, tid); }))
        return "Each thread divides by a sum of its own (sum or partial[tid]), and not by that of "
               "its\ncolumn, partial[0].";
    for (int kb = 2; kb <= half; kb *= 2) {
        if (isBy([&](Sums& sums, std::size_t) { return added(sums, half, kb, 0); }))
            return lab::filled(
                "The last step of the tree has kb = {}; one with kb = 1 must follow it: run the\n"
                "loop while kb > 0.",
                kb);
        if (isBy([&](Sums& sums, std::size_t) { return added(sums, half / kb, 1, 0); }))
            return lab::filled(
                "The tree begins with kb = {}, and so leaves out partial[{}] and what follows:\n"
                "begin with kb = blockDim.x / 2.",
                half / kb, threads / kb);
    }
    return "";
}

// The divisor of each column, the right one, and the mistakes that explain all divisors.
struct Divisors {
    std::vector<double> used, right, withSigns;
    bool cutOff = true, cutOffEach = true;  // the fraction of the norm, or of each thread's sum
    bool lastOnly = true;                   // the last element of each thread
};

// Returns them if each column is divided by one number.
inline std::optional<Divisors> divisorsOf(const Matrix& got, const Matrix& A, int threads) {
    Divisors all;
    for (int c = 0; c < A.cols(); ++c) {
        double norm = 0.0, sum = 0.0, withoutFractions = 0.0;
        int largest = 0;
        std::vector<double> ofThread(static_cast<std::size_t>(threads)), last = ofThread;
        for (int r = 0; r < A.rows(); ++r) {
            norm += std::fabs(A(r, c));
            ofThread[static_cast<std::size_t>(r % threads)] += std::fabs(A(r, c));
            last[static_cast<std::size_t>(r % threads)] = std::fabs(A(r, c));
            sum += A(r, c);
            if (std::fabs(A(r, c)) > std::fabs(A(largest, c))) largest = r;
        }
        for (const double part : ofThread) withoutFractions += std::trunc(part);
        const double divisor = static_cast<double>(A(largest, c)) / got(largest, c);
        // Sums of quarters are quarters; a quotient is rounded.
        const double by = std::round(divisor * 4) / 4;
        for (int r = 0; r < A.rows(); ++r) {
            const float quotient = A(r, c) / static_cast<float>(by);
            const bool noNumber = std::isnan(quotient) && std::isnan(got(r, c));  // 0 / 0
            if (got(r, c) != quotient && !noNumber) return {};
        }
        all.lastOnly &= by == std::accumulate(last.begin(), last.end(), 0.0);
        all.cutOff &= by == std::trunc(norm);
        all.cutOffEach &= by == withoutFractions;
        all.used.push_back(by);
        all.right.push_back(norm);
        all.withSigns.push_back(sum);
    }
    return all;
}

// Returns by which number each column is divided, if it is a single one, and that it is wrong.
inline std::string normIn(const Matrix& got, const Matrix& A, int threads) {
    const std::string known = partOfNorm(got, A, threads);
    const std::optional<Divisors> all = divisorsOf(got, A, threads);
    if (!all) return known;
    const std::vector<double>&used = all->used, &right = all->right;
    const auto at = static_cast<std::size_t>(
        std::mismatch(used.begin(), used.end(), right.begin()).first - used.begin());
    if (at == used.size()) return "";
    std::ostringstream text;
    text << "Column " << at << " is divided by " << used[at]
         << ", but the sum of its absolute values is " << right[at] << ".\n";
    const double more = used[at] - right[at];
    bool same = true;
    for (std::size_t c = 0; c < used.size(); ++c) same &= used[c] - right[c] == more;
    if (!known.empty())
        text << known;
    else if (std::count(used.begin(), used.end(), 0.0) == A.cols())
        text << "No element gets into that sum: see where sum and partial get their values.";
    else if (all->cutOff)
        text << "The fraction is cut off: is norm, or a sum, an int?";
    else if (all->cutOffEach)
        text << "Each thread's sum has lost its fraction: is partial, or sum, an int?";
    else if (all->lastOnly)
        text << "It is the sum of the last element of each thread: add each element to sum (+=).";
    else if (used == all->withSigns)
        text << "It is the sum of the elements with their signs: fabsf is missing.";
    else if (same && std::fmod(more, threads) == 0)
        text << "It is " << more << " more in every column, " << more / threads << " for each of "
             << threads << " threads: does sum begin at 0?";
    else if (more < 0)
        text << "It is too small: do the first loop and the steps of the tree reach all rows?";
    else
        text << "It is too large: an element is added twice, or an element of another column is.";
    return text.str();
}

inline Trial onNormalizeColumns(int rows, int cols) {
    Matrix A = exact::numbers(rows, cols);
    // No column may be all zero.
    for (int c = 0; c < cols; ++c) A(0, c) = static_cast<float>(c + 1);
    const auto wanted = [&](int r, int c) {
        float norm = 0.0F;
        for (int row = 0; row < rows; ++row) norm += std::fabs(A(row, c));
        return A(r, c) / norm;
    };
    constexpr int kThreads = 128;  // REDUCE_THREADS
    return {"normalizeColumns",
            matrix::poisoned(rows, cols),
            exact::right(rows, cols, wanted),
            [=](float* B) { normalizeColumns(A.data(), B, rows, cols); },
            [=](const Matrix& got) { return normIn(got, A, kThreads); },
            "B"};
}

// Runs a kernel and judges only its result.
inline void expectValues(const Todo& todo, Trial trial) {
    lab::runIgnoring(kOfBarriers, todo, lab::gives(trial.out),
                     [&] { trial.call(trial.out.data()); });
    exact::expectEqual(trial.function, trial.out, trial.wanted, trial.guess);
}

}  // namespace hazards
