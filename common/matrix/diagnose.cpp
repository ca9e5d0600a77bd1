#include "matrix/diagnose.h"

#include <algorithm>

#include "text/joined.h"

namespace matrix {

namespace {

std::size_t countWrong(const Failure& failure, bool (*holds)(float)) {
    return static_cast<std::size_t>(
        std::count_if(failure.wrong.begin(), failure.wrong.end(),
                      [&](std::size_t i) { return holds(failure.got.data()[i]); }));
}

Guess guessNeverWritten(const Failure& failure) {
    if (countWrong(failure, isPoison) != failure.got.size()) return {};
    return {Looks::NeverWritten,
            "The result was never written: every element has the value from before the launch."};
}

Guess guessPartlyWritten(const Failure& failure) {
    const std::size_t poison = countWrong(failure, isPoison);
    if (poison == 0) return {};
    return {Looks::PartlyWritten,
            words::joined(
                poison == failure.wrong.size() ? "All" : std::to_string(poison),
                " of these were never written: they have the values from before the launch.")};
}

// Tells whether poison took part in arithmetic, the thread's own or the result's: it sets the
// quiet bit and, on most processors, keeps the payload.
bool isMadeOfPoison(float value) { return bitsOf(value) == (kPoisonBits | 0x00400000U); }

Guess guessNotANumber(const Failure& failure) {
    const std::size_t count = countWrong(failure, [](float v) { return !std::isfinite(v); });
    if (count == 0) return {};
    const bool ofPoison = countWrong(failure, isMadeOfPoison) == failure.wrong.size();
    return {Looks::NotANumber,
            words::joined(count, " of these are NaN or infinite, but the inputs are finite:\n",
                          ofPoison ? "a sum, or a value that is added to it, is uninitialized."
                                   : "a sum or an index uses uninitialized memory.")};
}

// Recognizes sums in an int that was never set. The simulated device fills a thread's memory with a
// NaN (see simulator/memory/unset.h); as an int it is the number kUnset.
Guess guessSumNotSet(const Failure& failure) {
    constexpr double kUnset = kPoisonBits | 0x00400000U, kSpacingOfFloats = 256.0;
    for (const std::size_t i : failure.wrong) {
        const double reach =
            failure.reference.magnitude[i] + failure.reference.inner + kSpacingOfFloats;
        if (!(std::fabs(static_cast<double>(failure.got.data()[i]) - kUnset) <= reach)) return {};
    }
    return {Looks::SumNotSet,
            "Each is wrong by the same large number: the sum is an int without a first\nvalue. Set "
            "it to 0 first."};
}

// Tells whether an int would turn all inputs, and many of their products, into zeros.
bool allBelowOne(const Failure& failure) {
    const auto below = [](const Matrix& m) {
        return std::all_of(m.data(), m.data() + m.size(),
                           [](float v) { return std::fabs(v) < 1.0F; });
    };
    return below(failure.M) && below(failure.N);
}

Guess guessAllZero(const Failure& failure) {
    const float* got = failure.got.data();
    if (!std::all_of(got, got + failure.got.size(), [](float v) { return v == 0.0F; })) return {};
    return {Looks::AllZero,
            words::joined(
                "Every element is 0: the sums were stored before a product was added,",
                allBelowOne(failure)
                    ? "\nor fractions are cut off. Pvalue and the tiles must be float, not int."
                    : "\nor all products are 0.")};
}

Guess guessMultiple(const Failure& failure) {
    const Matrix& got = failure.got;
    const std::vector<double>& product = failure.reference.product;
    if (failure.wrong.size() < evidenceNeeded(failure)) return {};
    std::size_t largest = 0;
    for (std::size_t i = 0; i < product.size(); ++i)
        if (std::fabs(product[i]) > std::fabs(product[largest])) largest = i;
    const double factor = std::round(static_cast<double>(got.data()[largest]) / product[largest]);
    if (!(factor >= 2.0 && factor <= 4096.0)) return {};
    for (std::size_t i = 0; i < product.size(); ++i) {
        const auto [value, magnitude] = failure.right(i);
        if (!failure.agrees(got.data()[i], {factor * value, factor * magnitude})) return {};
    }
    return {Looks::Multiple,
            words::joined("Every element is ", static_cast<int>(factor),
                          " times what it should be: the products are summed more than once.")};
}

struct Step {
    int down;
    int right;
    const char* where;
};

constexpr Step kSteps[] = {{0, 1, "one column to the right"},
                           {0, -1, "one column to the left"},
                           {1, 0, "one row below"},
                           {-1, 0, "one row above"},
                           {1, 1, "one row below to the right"},
                           {-1, -1, "one row above to the left"}};

// Tells whether every wrong element with a neighbour one step away has the neighbour's value. These
// must be most of the wrong ones, because elements on the border may have no such neighbour.
bool isShifted(const Failure& failure, const Step& step) {
    const int rows = failure.got.rows();
    const int cols = failure.got.cols();
    std::size_t fits = 0;
    for (const std::size_t i : failure.wrong) {
        const int r = static_cast<int>(i / static_cast<std::size_t>(cols)) + step.down;
        const int c = static_cast<int>(i % static_cast<std::size_t>(cols)) + step.right;
        if (r < 0 || r >= rows || c < 0 || c >= cols) continue;
        if (!failure.agrees(failure.got.data()[i], failure.right(failure.got.index(r, c))))
            return false;
        ++fits;
    }
    return fits >= evidenceNeeded(failure) && 2 * fits > failure.wrong.size();
}

Guess guessNeighbour(const Failure& failure) {
    for (const Step& step : kSteps)
        if (isShifted(failure, step))
            return {Looks::NeighbouringElement,
                    words::joined("Each wrong element that has a neighbour ", step.where,
                                  "\nholds the value of that neighbour: an index is off by one.")};
    return {};
}

// Returns which row (or column) of the right result a line of got is; -1 if none is.
int lineHeld(const Failure& failure, int line, bool rows) {
    const int lines = rows ? failure.got.rows() : failure.got.cols();
    const int length = rows ? failure.got.cols() : failure.got.rows();
    const auto index = [&](int at, int i) {
        return rows ? failure.got.index(at, i) : failure.got.index(i, at);
    };
    for (int other = 0; other < lines; ++other) {
        int same = 0;
        while (same < length && failure.agrees(failure.got.data()[index(line, same)],
                                               failure.right(index(other, same))))
            ++same;
        if (same == length) return other;
    }
    return -1;
}

// Recognizes whole rows, or columns, in other places: of the store, of M or of N.
Guess guessRowsElsewhere(const Failure& failure) {
    for (const bool rows : {true, false}) {
        const int lines = rows ? failure.got.rows() : failure.got.cols();
        // A few whole numbers may be equal by chance.
        if (lines < 2 || (rows ? failure.got.cols() : failure.got.rows()) < 8) continue;
        int line = 0, first = -1, held = 0, of = 0;
        for (; line < lines && held >= 0; ++line) {
            held = lineHeld(failure, line, rows);
            if (first < 0 && held != line) first = line, of = held;
        }
        if (held < 0 || first < 0) continue;
        const char* const name = rows ? "row" : "column";
        return {
            Looks::RowsElsewhere,
            words::joined("The sums are right, but in the wrong ", name, "s: ", name, " ", first,
                          " holds the sums of ", name, " ", of, ".\nSee how the ", name,
                          " is computed for the store, and for the load of ", rows ? "M." : "N.")};
    }
    return {};
}

// Counts the last lines (rows or columns) with at least half of their elements wrong. Half, because
// some wrong sums of small integers are right by chance. A band left over by whole tiles is the
// smaller part, so it never makes the lines that cross it bad.
int trailingBad(const std::vector<int>& wrongPerLine, int elementsPerLine) {
    int bad = 0;
    for (auto line = wrongPerLine.rbegin(); line != wrongPerLine.rend(); ++line) {
        if (2 * static_cast<long long>(*line) < elementsPerLine) break;
        ++bad;
    }
    return bad;
}

std::string lastLines(int count, int of, const char* one, const char* many) {
    if (count == 1) return words::joined("the last ", one);
    return words::joined("the last ", count, " of ", of, " ", many);
}

std::string content(const Failure& failure) {
    const auto all = [&](auto holds) {
        return std::all_of(failure.wrong.begin(), failure.wrong.end(),
                           [&](std::size_t i) { return holds(failure.got.data()[i]); });
    };
    if (all(isPoison)) return "never written";
    if (all([](float v) { return v == 0.0F; })) return "all 0";
    return "wrong";
}

Guess guessTrailingBand(const Failure& failure) {
    const int rows = failure.got.rows();
    const int cols = failure.got.cols();
    std::vector<int> inRow(static_cast<std::size_t>(rows));
    std::vector<int> inCol(static_cast<std::size_t>(cols));
    const auto width = static_cast<std::size_t>(cols);
    for (const std::size_t i : failure.wrong) {
        ++inRow[i / width];
        ++inCol[i % width];
    }
    int badRows = trailingBad(inRow, cols);
    int badCols = trailingBad(inCol, rows);
    if (badRows == rows || badCols == cols || badRows + badCols == 0) return {};
    const auto allIn = [&](int lastRows, int lastCols) {
        return std::all_of(failure.wrong.begin(), failure.wrong.end(), [&](std::size_t i) {
            return static_cast<int>(i / width) >= rows - lastRows ||
                   static_cast<int>(i % width) >= cols - lastCols;
        });
    };
    // If many rows are bad, they make columns look so, and the other way round.
    if (allIn(badRows, 0))
        badCols = 0;
    else if (allIn(0, badCols))
        badRows = 0;
    if (!allIn(badRows, badCols)) return {};
    std::string where;
    if (badRows > 0) where = lastLines(badRows, rows, "row", "rows");
    if (badRows > 0 && badCols > 0) where += " and ";
    if (badCols > 0) where += lastLines(badCols, cols, "column", "columns");
    const bool single = badRows + badCols == 1;
    return {
        Looks::LastRowsOrColumns,
        words::joined(
            "Only ", where, single ? " is " : " are ", content(failure),
            ".\nCheck the launch, the boundary test, and Row and Col: they leave the edge out.")};
}

// Recognizes sums that are all too large, or too small, by one number. A known pattern is a better
// explanation.
Guess unexplained(const Failure& failure) {
    const auto excess = [&](std::size_t i) {
        return static_cast<double>(failure.got.data()[i]) - failure.reference.product[i];
    };
    const double first = excess(0);
    bool same = failure.exact && failure.wrong.size() == failure.got.size() &&
                failure.wrong.size() >= evidenceNeeded(failure) && std::fabs(first) < 1e6;
    for (std::size_t i = 0; same && i < failure.got.size(); ++i) same = excess(i) == first;
    return {
        Looks::Other,
        same ? words::joined(
                   "Each element is ", static_cast<long>(std::fabs(first)),
                   first > 0 ? " too large" : " too small",
                   ".\nCheck the first value of the sum, and what is added besides the products.")
             : "The wrong elements follow no pattern that the tests know."};
}

}  // namespace

// Certain findings (poison, NaN) come before inferred ones, and explanations of the whole matrix
// before explanations of its wrong elements alone.
Guess diagnose(const Failure& failure) {
    constexpr Guess (*kGuesses[])(const Failure&) = {
        guessNeverWritten,  guessTilesOfPhases, guessTrailingBand, guessPartlyWritten,
        guessNotANumber,    guessSumNotSet,     guessAllZero,      guessFractionsCutOff,
        guessOtherProduct,  guessOtherTerms,    guessRowLength,    guessMultiple,
        guessMissingPhases, guessTileProducts,  guessNeighbour,    guessRowsElsewhere,
        guessOneValueEach,  guessWithoutK,      guessTileIndices,
    };
    for (const auto& guess : kGuesses) {
        Guess found = guess(failure);
        if (found.looks != Looks::Other) return found;
    }
    return unexplained(failure);
}

}  // namespace matrix
