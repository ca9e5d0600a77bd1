#include <algorithm>

#include "matrix/diagnose.h"
#include "text/joined.h"

namespace matrix {

namespace {

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

}  // namespace

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
    const int badRows = trailingBad(inRow, cols);
    const int badCols = trailingBad(inCol, rows);
    if (badRows == rows || badCols == cols || badRows + badCols == 0) return {};
    for (const std::size_t i : failure.wrong) {
        const int r = static_cast<int>(i / width);
        const int c = static_cast<int>(i % width);
        if (r < rows - badRows && c < cols - badCols) return {};
    }
    std::string where;
    if (badRows > 0) where = lastLines(badRows, rows, "row", "rows");
    if (badRows > 0 && badCols > 0) where += " and ";
    if (badCols > 0) where += lastLines(badCols, cols, "column", "columns");
    const bool single = badRows + badCols == 1;
    return {Looks::LastRowsOrColumns,
            words::joined("Only ", where, single ? " is " : " are ", content(failure),
                          ":\nthe launch or a boundary test leaves the edge out.")};
}

}  // namespace matrix
