// Judges results of the small kernels of parts B and C, which float32 computes exactly: whole
// numbers and quarters, or one division of two of them.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "matrix/compare.h"
#include "matrix/pattern.h"
#include "testing/lab.h"
#include "testing/role.h"
#ifdef CUDA_SIMULATED_DEVICE
#include "testing/lab_sim.h"
#endif

namespace exact {

// Quarters, which no integer represents.
inline matrix::Matrix numbers(int rows, int cols) {
    matrix::Matrix all =
        matrix::generate(matrix::Pattern::SmallIntegers, rows, cols, lab::seedFor(1));
    for (std::size_t i = 0; i < all.size(); ++i) all.data()[i] /= 4;
    return all;
}

// Returns the right result, whose element (r, c) is elementAt(r, c).
template <class ElementAt>
matrix::Matrix right(int rows, int cols, const ElementAt& elementAt) {
    matrix::Matrix result(rows, cols);
    if (!testing::judges()) return result;
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < cols; ++c) result(r, c) = elementAt(r, c);
    return result;
}

// Returns lines that say what a wrong result looks like; empty if nothing fits.
using Guess = std::function<std::string(const matrix::Matrix& got)>;

// Tests whether every element of got is elementAt(row, column).
template <class ElementAt>
bool holds(const matrix::Matrix& got, const ElementAt& elementAt) {
    for (int r = 0; r < got.rows(); ++r)
        for (int c = 0; c < got.cols(); ++c)
            if (!(got(r, c) == elementAt(r, c))) return false;
    return true;
}

// An index of a tile as the kernels write it, by the thread's place in tiles of this width.
struct Index {
    const char* text;
    int (*at)(int ty, int tx, int width);
};

// Returns the first element of a tile, such as "tile[ty][ty]", that explains the result: fits(row,
// col) tests one. Empty if none does.
template <class Fits>
std::string tileElement(const std::string& tile, const Fits& fits) {
    const Index indices[] = {
        {"[tx]", [](int, int tx, int) { return tx; }},
        {"[ty]", [](int ty, int, int) { return ty; }},
        {"[0]", [](int, int, int) { return 0; }},
        {"[TILE_WIDTH - tx - 1]", [](int, int tx, int width) { return width - tx - 1; }},
        {"[TILE_WIDTH - ty - 1]", [](int ty, int, int width) { return width - ty - 1; }},
    };
    for (const Index& row : indices)
        for (const Index& col : indices)
            if (fits(row, col)) return tile + row.text + col.text;
    return "";
}

// Returns a line on a copy back that is missing or too short, or on a launch with fewer threads
// than the result has elements; else an empty one.
#ifdef CUDA_SIMULATED_DEVICE
inline std::string leftOut(std::size_t elements) {
    if (cusim::launches().empty()) return "";
    const cusim::LaunchReport& launch = cusim::launches().front();
    const std::size_t copied = lab::bytesCopiedBack().value_or(0);
    if (copied < elements * sizeof(float))
        return lab::filled("The copy back copies only {} of the result's {}.", copied,
                           lab::count(elements * sizeof(float), "byte"));
    if (launch.threads >= elements) return "";
    return lab::filled("The launch has {} x {} blocks of {} x {} threads: {}, for {}.",
                       launch.grid.x, launch.grid.y, launch.block.x, launch.block.y,
                       lab::count(launch.threads, "thread"), lab::count(elements, "element"));
}

using lab::CountElements;

// Returns a line on the array that the last kernel should fill, if it loads from it; its name is
// `name`. `to` is the result's memory in the host.
inline std::string loadsOfResult(const void* to, const std::string& name) {
    if (!cusim::launches().empty())
        for (const auto& array : cusim::launches().front().arrays)
            if (array.copiedTo == to && array.count.loads > 0)
                return lab::filled("The kernel loads {} from {}, the array that it must fill.",
                                   lab::count(array.count.loads, "element"), name);
    return "";
}

// Returns a line on elements of its inputs that the last kernel never loads, if it loads others;
// empty if each is loaded. `names` are those of the arrays, `cols` their columns, both in the
// order of allocation. Elements must be counted.
inline std::string neverLoaded(const std::vector<std::pair<std::string, int>>& names,
                               const std::string& advice) {
    if (cusim::launches().empty()) return "";
    std::size_t i = 0;
    for (const auto& array : cusim::launches().front().arrays) {
        if (array.space != cusim::Space::Global) continue;
        if (i == names.size()) return "";
        const auto& [name, cols] = names[i++];
        const auto& loads = array.elementLoads;
        const auto never = std::find(loads.begin(), loads.end(), 0U);
        if (array.count.loads == 0 || never == loads.end()) continue;
        const auto most = std::max_element(loads.begin(), loads.end());
        const auto named = [&, cols = cols, &name = name](auto at) -> std::string {
            const auto index = static_cast<std::size_t>(at - loads.begin());
            if (cols == 0) return lab::filled("{}[{}]", name, index);
            return lab::elementAt(index, name, cols);
        };
        return lab::filled("{} is never loaded, but {} is loaded {}: {}", named(never), named(most),
                           lab::count(*most, "time"), advice);
    }
    return "";
}

// Tests whether the threads of the last run race, so that its result is random.
inline bool isRacy() { return !lab::findingsOf("race").empty(); }
#else
inline std::string leftOut(std::size_t) { return ""; }
inline bool isRacy() { return false; }
struct CountElements {
    CountElements() {}
};
inline std::string loadsOfResult(const void*, const std::string&) { return ""; }
inline std::string neverLoaded(const std::vector<std::pair<std::string, int>>&,
                               const std::string&) {
    return "";
}
#endif

// Guesses that hold for any kernel.
inline std::string looksOf(const matrix::Matrix& got, const matrix::Matrix& wanted) {
    const std::size_t unwritten = lab::unwrittenIn(got).size();
    if (unwritten == got.size())
        return "No element was ever written: all are as before the launch.";
    if (unwritten > 0)
        return lab::filled("{} were never written: they are as before the launch.",
                           lab::count(unwritten, "element"));
    const auto nan = std::count_if(got.data(), got.data() + got.size(),
                                   [](float value) { return std::isnan(value); });
    // The simulated device fills a thread's variables with this NaN (see memory/unset.h).
    const auto unset = std::count_if(got.data(), got.data() + got.size(), [](float value) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        return (bits & 0x7FFFFFFFU) == 0x7FE5C0DEU;
    });
    if (unset > 0)
        return lab::filled(
            "{} of the elements are made of an uninitialized variable of a thread. Each\nthread "
            "has its own variable: check that all threads set it.",
            unset);
    if (nan > 0)
        return lab::filled(
            "{} of the elements are NaN: a variable or an element is uninitialized, 0 is\ndivided "
            "by 0, or a square root is taken of a negative number.",
            nan);
    if (holds(got, [](int, int) { return 0; })) return "Every element is 0.";
    if (holds(got, [&](int r, int c) { return -wanted(r, c); }))
        return "Every element has the wrong sign: is there a - instead of a +?";
    const float more = got(0, 0) - wanted(0, 0);
    if (got.size() > 1 && holds(got, [&](int r, int c) { return wanted(r, c) + more; }))
        return lab::filled("Each element is {} by the same number: does a sum begin at 0?",
                           more > 0 ? "too large" : "too small");
    if (got.rows() > 1 && got.cols() > 1) {
        if (got.rows() == got.cols() && holds(got, [&](int r, int c) { return wanted(c, r); }))
            return "It is the transpose of the right result: row and column are exchanged.";
        if (holds(got, [&](int r, int) { return got(r, 0); }))
            return "Each row has the same value in all of its columns: what a thread reads "
                   "does\nnot depend on its column, threadIdx.x.";
        if (holds(got, [&](int, int c) { return got(0, c); }))
            return "Each column has the same value in all of its rows: what a thread reads "
                   "does\nnot depend on its row, threadIdx.y.";
    }
    const auto whole = [](const matrix::Matrix& all) {
        return holds(all, [&](int r, int c) { return std::trunc(all(r, c)); });
    };
    if (whole(got) && !whole(wanted))
        return "All are whole numbers: is a tile or a variable an int?";
    return "";
}

// Fails the test, with the first wrong elements and what they look like, unless got equals wanted.
// `known` is a sentence about the parts that are right already.
inline void expectEqual(const lab::Text& about, const matrix::Matrix& got,
                        const matrix::Matrix& wanted, const Guess& guess = {},
                        const std::string& known = "") {
    if (!testing::judges()) return;
    std::ostringstream examples;
    std::size_t wrong = 0;
    for (int r = 0; r < wanted.rows(); ++r)
        for (int c = 0; c < wanted.cols(); ++c) {
            // Fails for NaN, too, unlike got != wanted.
            if (got(r, c) == wanted(r, c)) continue;
            if (++wrong > 3) continue;
            examples << "\n  row " << r << ", column " << c << ": got ";
            if (matrix::Matrix(1, 1, got(r, c)) == matrix::poisoned(1, 1))
                examples << "nothing";
            else
                examples << got(r, c);
            examples << ", expected " << wanted(r, c);
        }
    if (wrong == 0) return;
    std::string looks = lab::unwrittenIn(got).empty() ? "" : leftOut(got.size());
    if (looks.empty() && guess && !isRacy()) looks = guess(got);
    if (looks.empty()) looks = looksOf(got, wanted);
    lab::fail("wrong-values", about, "the result is wrong.{}\n{} of {} differ; the first:{}{}{}",
              known, wrong, lab::count(wanted.size(), "element"), examples.str(),
              looks.empty() ? "" : "\n", looks);
}

}  // namespace exact
