// Runs the kernels of banks.cu and judges their results.
#pragma once

#include <fstream>

#include "lab2_tiled/banks/banks.h"
#include "lab2_tiled/exact.h"
#include "testing/environment.h"

namespace banks {

using matrix::Matrix;

const int kBanks = 32;

// Returns which line of the file gives BANKS another value; empty if none does.
inline std::string otherBanks() {
    std::ifstream in(testing::fromEnvironment("LAB_KERNEL"));
    std::string text;
    for (int line = 1; std::getline(in, text); ++line) {
        std::istringstream words(text);
        std::string define, name;
        int value = kBanks;
        if (words >> define >> name >> value && define == "#define" && name == "BANKS" &&
            value != kBanks)
            return lab::filled(
                "Line {} sets BANKS to {}, but shared memory has {} banks: leave it "
                "at {}.\nOnly the rows of the tile may be longer.",
                line, value, kBanks, kBanks);
    }
    return "";
}

// Returns which tile of A is transposed in the first wrong tile of B; empty if none is.
inline std::string blocksIn(const Matrix& B, const Matrix& A) {
    const auto isTile = [&](int row, int col, int rowOfA, int colOfA) {
        for (int r = 0; r < kBanks; ++r)
            for (int c = 0; c < kBanks; ++c)
                if (!(B(row + r, col + c) == A(rowOfA + c, colOfA + r))) return false;
        return true;
    };
    for (int row = 0; row < B.rows(); row += kBanks)
        for (int col = 0; col < B.cols(); col += kBanks) {
            if (isTile(row, col, col, row)) continue;
            for (int r = 0; r < A.rows(); r += kBanks)
                for (int c = 0; c < A.cols(); c += kBanks)
                    if (isTile(row, col, r, c))
                        return lab::filled(
                            "The tile of B at row {}, column {} holds the tile of A at row {}, "
                            "column {}\ninstead of the one at row {}, column {}: see where "
                            "blockIdx.x and blockIdx.y are used.",
                            row, col, r, c, col, row);
            return "";
        }
    return "";
}

// Returns a line on threads that step along a column instead of a row: in the loads from A, or the
// stores to B, of the last launch; empty if each warp accesses whole sectors.
inline std::string downAColumn([[maybe_unused]] const Matrix& A) {
#ifdef CUDA_SIMULATED_DEVICE
    if (cusim::launches().empty()) return "";
    for (const auto& array : cusim::launches().front().arrays) {
        if (array.space != cusim::Space::Global || array.warps.sectors <= array.warps.idealSectors)
            continue;
        const bool ofA = array.copiedFrom == A.data();
        return lab::filled(
            "Each tile of B is A's tile, not transposed. Threads that are neighbours in x\n{} "
            "elements in a column of {}, but they must be in a row: take the row\nof {} from "
            "threadIdx.y, and the column from threadIdx.x.",
            ofA ? "load" : "store", ofA ? "A" : "B", ofA ? "A" : "B");
    }
#endif
    return "";
}

// Returns such numbers, all different.
inline Matrix differentNumbers(int rows, int cols) {
    Matrix A = exact::numbers(rows, cols);
    for (std::size_t i = 0; i < A.size(); ++i) A.data()[i] += 8.0F * static_cast<float>(i);
    return A;
}

// Returns which length the kernel takes for the rows of A, if another one gives this result; else
// nothing. No two numbers of A are equal.
inline std::string otherRowLength(const Matrix& B, const Matrix& A) {
    const auto last = static_cast<std::size_t>(A.rows() - 1);
    for (std::size_t length = 1; last * length + B.rows() - 1 < A.size(); ++length)
        if (exact::holds(B, [&](int r, int c) {
                return A.data()[static_cast<std::size_t>(c) * length + r];
            }))
            return lab::filled(
                "The tile is filled from A[Row * {} + Col], but a row of A has {} elements:\n"
                "multiply the row of A by cols{}.",
                length, A.cols(),
                length == static_cast<std::size_t>(A.rows()) ? ", not by rows" : "");
    return "";
}

// Returns which of these numbers the first wrong element of B's first tile is; else nothing.
inline std::string elementInstead(const Matrix& B, const Matrix& A) {
    const std::string length = otherRowLength(B, A);
    if (!length.empty()) return length;
    for (int r = 0; r < kBanks; ++r)
        for (int c = 0; c < kBanks; ++c) {
            if (B(r, c) == A(c, r)) continue;
            for (int row = 0; row < A.rows(); ++row)
                for (int col = 0; col < A.cols(); ++col)
                    if (B(r, c) == A(row, col))
                        return lab::filled(
                            "B[{}][{}] is A[{}][{}], but should be A[{}][{}]. Compare the index "
                            "with which the tile\nis filled with the index with which it is read.",
                            r, c, row, col, c, r);
            return "";
        }
    return "";
}

// Run a kernel and judge its result; its launch can be inspected afterwards.
inline void expectTransposed(int rows, int cols) {
    const Matrix A = differentNumbers(rows, cols);
    Matrix B = matrix::poisoned(cols, rows);
    const auto guess = [&](const Matrix& got) -> std::string {
        const std::string read = exact::tileElement("tile", [&](const auto& y, const auto& x) {
            return exact::holds(got, [&](int r, int c) {
                const int ty = r % kBanks, tx = c % kBanks;
                return A(c - tx + y.at(ty, tx, kBanks), r - ty + x.at(ty, tx, kBanks));
            });
        });
        const bool inPlace = exact::holds(A, [&](int r, int c) {
            const int ty = r % kBanks, tx = c % kBanks;
            // As a pattern of A, since the rows of `got` have another length.
            return got.data()[(r - ty + tx) * cols + c - tx + ty];
        });
        if (inPlace && rows != cols)
            return lab::filled(
                "Each tile is transposed, but stays in its place, in rows of {} elements. The tile "
                "at\nrow r and column c of A belongs at row c and column r of B, which has rows of "
                "{}.",
                cols, rows);
        const std::string down = read.empty() ? "" : downAColumn(A);
        if (!down.empty() && read == "tile[ty][tx]") return down;
        const std::string blocks = blocksIn(got, A);
        return read.empty() ? blocks.empty() ? elementInstead(got, A) : blocks
                            : "Each thread stores " + read +
                                  " instead of tile[tx][ty]: see how the tile is\nfilled, and how "
                                  "it is read.";
    };
    INFO(otherBanks());
    lab::run("transpose", lab::gives(B).from(A),
             [&] { transpose(A.data(), B.data(), rows, cols); });
    exact::expectEqual("transpose", B,
                       exact::right(cols, rows, [&](int r, int c) { return A(c, r); }), guess);
}

// Returns by which element of its row each column is multiplied in this result, if not always by
// the first one; empty if nothing fits.
inline std::string otherOfRow(const Matrix& B, const Matrix& A) {
    std::vector<int> factors;
    for (int c = 0; c < kBanks; ++c) {
        const auto fits = [&](int other) {
            for (int r = 0; r < A.rows(); ++r)
                if (!(B(r, c) == A(r, c) * A(r, other))) return false;
            return true;
        };
        int other = 0;
        while (other < kBanks && !fits(other)) ++other;
        if (other == kBanks) return "";
        factors.push_back(other);
    }
    const auto first =
        std::find_if(factors.begin(), factors.end(), [](int one) { return one > 0; });
    const int c = static_cast<int>(first - factors.begin()), width = *first;
    bool parts = width > 1;
    for (int i = 0; i < kBanks; ++i) parts &= factors[i] == i - i % width;
    return lab::filled(
        "{} is multiplied by element {} of its row instead of the first one,\ntile[r][0].{}",
        c == 0 ? std::string("Each element") : lab::filled("Each element of column {}", c).words,
        width,
        parts
            ? lab::filled(" If a shuffle reads it: its width is {}, but must be {}.", width, kBanks)
            : lab::Text(""));
}

// Returns by what the rows of A are multiplied in this result; empty if nothing fits.
inline std::string factorsIn(const Matrix& B, const Matrix& A) {
    for (const auto& [operation, name] : {std::pair<float (*)(float, float), const char*>{
                                              [](float a, float b) { return a + b; }, "+"},
                                          {[](float a, float b) { return a - b; }, "-"},
                                          {[](float a, float b) { return a / b; }, "/"}})
        if (exact::holds(B, [&](int r, int c) { return operation(A(r, c), A(r, 0)); }))
            return lab::filled("Each element is tile[r][c] {} tile[r][0]: multiply (*) instead.",
                               name);
    if (B == A) return "B is equal to A: no row is multiplied.";
    if (exact::holds(B, [&](int r, int c) { return c == 0 ? A(r, 0) * A(r, 0) : 0.0F; }))
        return "Only column 0 is right, and all others are 0. Do all threads read tile[r][0]?\nA "
               "variable belongs to one thread: what one thread reads, the others do not have.";
    const std::string factor = exact::tileElement("tile", [&](const auto& y, const auto& x) {
        return exact::holds(B, [&](int row, int c) {
            const int r = row % kBanks;
            return A(row, c) * A(row - r + y.at(r, c, kBanks), x.at(r, c, kBanks));
        });
    });
    // The kernel names its thread's place r and c.
    std::string named = factor;
    for (const auto& [from, to] : {std::pair<std::string, const char*>{"ty", "r"}, {"tx", "c"}})
        for (std::size_t at = named.find(from); at != std::string::npos; at = named.find(from))
            named.replace(at, from.size(), to);
    return factor.empty() ? otherOfRow(B, A)
                          : "Each element of row r is multiplied by " + named +
                                ", but the first element of\nits row is tile[r][0].";
}

inline void expectScaled(int rows) {
    const Matrix A = exact::numbers(rows, kBanks);
    Matrix B = matrix::poisoned(rows, kBanks);
    const exact::CountElements counting;
    INFO(otherBanks());
    lab::run(Todo(2), lab::gives(B).from(A), [&] { scaleRows(A.data(), B.data(), rows); });
    exact::expectEqual(
        Todo(2), B, exact::right(rows, kBanks, [&](int r, int c) { return A(r, c) * A(r, 0); }),
        [&](const Matrix& got) {
            const std::string factors = factorsIn(got, A);
            return factors.empty()
                       ? exact::neverLoaded({{"A", kBanks}}, "see Row, and the index of its load.")
                       : factors;
        });
}

}  // namespace banks
