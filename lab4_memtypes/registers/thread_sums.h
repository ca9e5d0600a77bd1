// Finds which of a thread's sums are wrong in a tile of P, and what is stored instead.
#pragma once

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "matrix/reference.h"
#include "testing/lab.h"

namespace registers {

// The rows, or columns, of a 64 x 64 tile that a thread computes: one; 8 side by side; every
// eighth; two groups of 4.
enum class Share { One, SideBySide, EveryEighth, TwoGroups };

class ThreadSums {
  public:
    ThreadSums(Share rows, Share cols, const lab::ProductRun& run)
        : rows_(rows),
          cols_(cols),
          got_(run.P),
          right_(matrix::multiply(run.set.M, run.set.N).product) {
        for (int a = 0; a < sums(rows_); ++a)
            for (int b = 0; b < sums(cols_); ++b) found_.push_back(find(a, b));
    }

    // Returns whether one of the sums is never set.
    bool hasUnset() const { return count(kUnset) > 0; }

    // Returns which of each thread's sums are wrong, and what they hold; empty if that explains
    // nothing.
    std::string tell() const {
        const int all = static_cast<int>(found_.size()), others = count(kOther);
        if (count(kUnset) == all || count(kZero) == all) return "";
        if (count(kRight) == 0 && others > 0) return "";
        if (const std::string rows = lines(true); !rows.empty()) return rows;
        if (const std::string cols = lines(false); !cols.empty()) return cols;
        std::string told;
        std::set<bool> zeros;
        for (int i = 0; i < all; ++i)
            if (found_[at(i)] != kRight && found_[at(i)] != kOther &&
                zeros.insert(found_[at(i)] == kZero).second)
                told += "\n" + name(i) + " " + holds(found_[at(i)]) + ".";
        return lab::filled(
            "{} of each thread's {} sums are wrong:{}\nSee the indices of Pvalue, m "
            "and n.",
            all - count(kRight), all, told);
    }

  private:
    // What is found instead of a sum, besides the number of another one.
    static constexpr int kRight = -1, kZero = -2, kUnset = -3, kOther = -4, kOfRow = -5;

    static std::size_t at(int i) { return static_cast<std::size_t>(i); }
    static int sums(Share share) { return share == Share::One ? 1 : 8; }
    static int threads(Share share) { return 64 / sums(share); }
    static int line(Share share, int thread, int sum) {
        switch (share) {
            case Share::One:
                return thread;
            case Share::SideBySide:
                return 8 * thread + sum;
            case Share::EveryEighth:
                return thread + 8 * sum;
            case Share::TwoGroups:
                break;
        }
        return 4 * thread + sum / 4 * 32 + sum % 4;
    }

    // Tests whether the place of sum (a, b) has, in all threads, the value of `wanted` for their
    // rows and columns.
    template <class Test>
    bool inAllThreads(int a, int b, const Test& holds) const {
        for (int ty = 0; ty < threads(rows_); ++ty)
            for (int tx = 0; tx < threads(cols_); ++tx)
                if (!holds(got_(line(rows_, ty, a), line(cols_, tx, b)), ty, tx)) return false;
        return true;
    }
    float right(int ty, int a, int tx, int b) const {
        return static_cast<float>(right_[got_.index(line(rows_, ty, a), line(cols_, tx, b))]);
    }
    bool isThatOf(int a, int b, int otherA, int otherB) const {
        return inAllThreads(a, b, [&](float value, int ty, int tx) {
            return value == right(ty, otherA, tx, otherB);
        });
    }
    int find(int a, int b) const {
        if (isThatOf(a, b, a, b)) return kRight;
        if (inAllThreads(a, b, [](float value, int, int) { return value == 0.0F; })) return kZero;
        if (inAllThreads(a, b, [](float value, int, int) { return std::isnan(value); }))
            return kUnset;
        for (int other = 0; other < sums(rows_) * sums(cols_); ++other)
            if (isThatOf(a, b, other / sums(cols_), other % sums(cols_))) return other;
        const bool ofRow = inAllThreads(a, b, [&](float value, int ty, int tx) {
            float sum = 0.0F;
            for (int i = 0; i < sums(cols_); ++i) sum += right(ty, a, tx, i);
            return value == sum;
        });
        return ofRow ? kOfRow : kOther;
    }
    int count(int what) const {
        return static_cast<int>(std::count(found_.begin(), found_.end(), what));
    }

    std::string name(int sum) const {
        return cols_ == Share::One ? lab::filled("Pvalue[{}]", sum).words
                                   : lab::filled("Pvalue[{}][{}]", sum / 8, sum % 8).words;
    }
    std::string holds(int found) const {
        if (found == kZero) return "is 0";
        if (found == kUnset) return "is uninitialized, or a value that is added to it is";
        if (found == kOfRow) return "holds the sum of its whole row";
        return "holds what belongs in " + name(found);
    }

    // Reports whole rows of Pvalue (or columns), if only these are wrong.
    std::string lines(bool ofRows) const {
        const int m = sums(ofRows ? rows_ : cols_), n = sums(ofRows ? cols_ : rows_);
        std::string factors, told;
        const std::string factor = cols_ == Share::One ? "" : ofRows ? "m" : "n";
        for (int line = 0; line < m; ++line) {
            const auto sum = [&](int i) { return ofRows ? line * n + i : i * m + line; };
            std::set<int> kinds;
            for (int i = 0; i < n; ++i) {
                const int found = found_[at(sum(i))];
                // Another sum is stored for its row, or column.
                const bool fits = found < 0 || (ofRows ? found % n == i : found / m == i);
                kinds.insert(found < 0 ? found : !fits ? kOther : ofRows ? found / n : found % m);
            }
            if (kinds.size() > 1) {
                if (kinds.count(kRight) || count(kRight) == 0) return "";
                kinds = {kOther};
            }
            const int kind = *kinds.begin();
            if (kind == kRight) continue;
            const auto named = [&](int l) {
                if (cols_ == Share::One) return lab::filled("Pvalue[{}]", l).words;
                return lab::filled(ofRows ? "Pvalue[{}][b]" : "Pvalue[a][{}]", l).words;
            };
            const std::string own = factor.empty() ? "" : lab::filled("{}[{}]", factor, line).words;
            factors += (factors.empty() ? "" : ", ") + own;
            told += "\n" + named(line);
            if (kind == kUnset)
                told += (own.empty() ? "" : ", or " + own + ",") + " is uninitialized.";
            else if (kind == kZero)
                told += " is 0: nothing is added to it.";
            else if (kind >= 0)
                told += " holds what belongs in " + named(kind) + ".";
            else
                told += " holds a wrong sum.";
        }
        if (told.empty()) return "";
        return (count(kRight) == 0 ? "Each thread's sums are in the wrong places:"
                                   : "Only these sums of each thread are wrong:") +
               told + "\nSee " +
               (factor.empty() ? "" : "where each of these gets its value: " + factors + "; ") +
               "the bounds of the loops" + (hasUnset() ? "." : ", and the store.");
    }

    Share rows_, cols_;
    const matrix::Matrix& got_;
    std::vector<double> right_;
    std::vector<int> found_;
};

}  // namespace registers
