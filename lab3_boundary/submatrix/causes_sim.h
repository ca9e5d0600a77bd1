// Tells from the simulated device's record of a call what makes a product wrong.
#pragma once

#include <algorithm>
#include <numeric>

#include "lab3_boundary/submatrix/matrix_part.h"
#include "testing/lab_sim.h"

struct Factor {
    const char* name;
    const MatrixPart& part;
    Todo load;

    std::size_t index(int row, int col) const {
        return product(row, part.ld()) + static_cast<std::size_t>(col);
    }
};

// Returns what is wrong with the copies of a part to the device, or of P back; empty if they are
// right, or go through other memory.
inline std::string wrongCopyOf(const char* name, const MatrixPart& part, bool back = false) {
    const auto& memory = part.memory();
    std::size_t end = 0;
    bool any = false, copied = false;
    for (const cusim::StreamStep& step : cusim::streamSteps()) {
        if (step.what != (back ? cusim::StreamStep::CopyOut : cusim::StreamStep::CopyIn)) continue;
        any = true;
        const auto offset = reinterpret_cast<std::uintptr_t>(step.host) -
                            reinterpret_cast<std::uintptr_t>(memory.data());
        if (offset >= memory.size() * sizeof(float)) continue;
        copied = true;
        end = std::max(end, (offset + step.bytes) / sizeof(float));
    }
    if (!any) return "";
    if (const std::string pitch = back ? wrongPitchOfP(part.ld()) : ""; !pitch.empty())
        return pitch;
    if (!copied && end == 0)
        return lab::filled("\nNothing of {} is copied {}.", name, back ? "back" : "to the device");
    const std::size_t floats = end - part.begin(), all = part.span();
    if (floats >= all && floats <= part.spanWithLastGap()) return "";
    return lab::filled(
        "\n{} of {} are copied{}, but this part has {} from its first to\nits last element. Check "
        "its rows, its columns and its leading dimension.",
        lab::count(floats, "float"), name, back ? " back" : "", all);
}

// Tests whether P was copied back in one piece from an array in which the kernel stored no element
// between the rows.
inline bool onlyCopiedBeside(const MatrixPart& P) {
    const auto* array = lab::launchOf("subMatrixMul").copiedInto(P.first());
    if (!array || array->elementStores.size() < P.span()) return false;
    for (std::size_t i = 0; i < array->elementStores.size(); ++i)
        if (i % static_cast<std::size_t>(P.ld()) >= static_cast<std::size_t>(P.cols()) &&
            array->elementStores[i] > 0)
            return false;
    return true;
}

// Tests whether the rows of a matrix are loaded as if they were ld bytes apart, and not elements.
inline bool countsBytes(const Factor& factor) {
    const auto* array = lab::launchOf("subMatrixMul").filledFrom(factor.part.first());
    const int apart = factor.part.ld() / static_cast<int>(sizeof(float));
    if (!array || factor.part.rows() < 2) return false;
    const auto& loads = array->elementLoads;
    const auto last = std::find_if(loads.rbegin(), loads.rend(), [](auto n) { return n > 0; });
    return static_cast<std::size_t>(loads.rend() - last) ==
           product(factor.part.rows() - 1, apart) + static_cast<std::size_t>(factor.part.cols());
}

// Returns the first row (or column) of a factor that has no loaded element; -1 if there is
// none. Fits matrices that are stored by rows.
inline int neverLoaded(const Factor& factor, bool row) {
    const auto* array = lab::launchOf("subMatrixMul").filledFrom(factor.part.first());
    const int lines = row ? factor.part.rows() : factor.part.cols();
    const int length = row ? factor.part.cols() : factor.part.rows();
    for (int line = 0; line < lines; ++line) {
        bool loaded = false;
        for (int i = 0; i < length && array; ++i) {
            const std::size_t at = row ? factor.index(line, i) : factor.index(i, line);
            loaded |= at < array->elementLoads.size() && array->elementLoads[at] > 0;
        }
        if (!loaded) return line;
    }
    return -1;
}

// Tests whether the loads of a factor, each made `times`, are those of a right index after a
// condition that exchanges the factor's numbers of rows and columns.
inline bool isConditionExchanged(const Factor& factor, const std::vector<std::uint32_t>& loads,
                                 std::size_t times) {
    const int rows = factor.part.rows(), cols = factor.part.cols();
    std::vector<std::uint32_t> wanted(loads.size());
    for (int row = 0; row < cols; ++row)
        for (int col = 0; col < rows; ++col) {
            const std::size_t at = factor.index(row, col);
            if (at >= wanted.size()) return false;
            wanted[at] += static_cast<std::uint32_t>(times);
        }
    return rows != cols && wanted == loads;
}

// Returns which element of a factor is loaded too often, if as many loads as needed, `times` for
// each element, go to other elements; else nothing.
inline std::string loadedInstead(const Factor& factor, std::size_t times) {
    const auto* array = lab::launchOf("subMatrixMul").filledFrom(factor.part.first());
    if (!array) return "";
    const auto& loads = array->elementLoads;
    const auto all = std::accumulate(loads.begin(), loads.end(), std::uint64_t{0});
    const auto most = std::max_element(loads.begin(), loads.end());
    if (all != times * product(factor.part.rows(), factor.part.cols()) || *most <= times) return "";
    const std::string instead =
        lab::filled(",\nbut {} is loaded {} instead of {}. ",
                    lab::elementAt(static_cast<std::size_t>(most - loads.begin()), factor.name,
                                   factor.part.ld()),
                    lab::count(*most, "time"), times);
    if (isConditionExchanged(factor, loads, times))
        return instead + lab::filled(
                             "The condition of this load takes\n{} rows and {} columns, but "
                             "{} has {} rows and {} columns.",
                             factor.part.cols(), factor.part.rows(), factor.name,
                             factor.part.rows(), factor.part.cols())
                             .words;
    return instead + "Check the\nindex of this load, and its condition.";
}

inline bool isUnwritten(const matrix::Matrix& P, bool row, int line) {
    const std::vector<std::size_t> missing = lab::unwrittenIn(P);
    const auto cols = static_cast<std::size_t>(P.cols());
    const auto in = std::count_if(missing.begin(), missing.end(), [&](std::size_t i) {
        return static_cast<int>(row ? i / cols : i % cols) == line;
    });
    return in == (row ? P.cols() : P.rows());
}

// Blames the store if all elements that are stored are right, and those left out are whole rows or
// columns at the end, in which threads of the grid run; returns which. Else returns nothing.
inline std::string leftOut(const matrix::Matrix& P, const matrix::DataSet& set) {
    const std::vector<std::size_t> missing = lab::unwrittenIn(P);
    const auto cols = static_cast<std::size_t>(P.cols());
    if (missing.empty() || missing.size() == P.size()) return "";
    matrix::Matrix whole = P;
    for (const std::size_t at : missing) {
        float sum = 0.0f;
        for (int i = 0; i < set.spec.k; ++i)
            sum += set.M(static_cast<int>(at / cols), i) * set.N(i, static_cast<int>(at % cols));
        whole.data()[at] = sum;
    }
    if (!lab::isRight({set, whole})) return "";
    for (const bool row : {true, false}) {
        const int first = static_cast<int>(row ? missing.front() / cols : missing.front() % cols);
        const int lines = row ? P.rows() : P.cols(), length = row ? P.cols() : P.rows();
        if (missing.size() != product(lines - first, length) || !isUnwritten(P, row, lines - 1))
            continue;
        lab::beginWith(Todo(3));
        return lab::filled(
            "\nAll {}s before {} are stored, and none from there on. P has {} {}s: "
            "see the\ncondition of the store.",
            row ? "row" : "column", first, lines, row ? "row" : "column");
    }
    return "";
}

// Returns what is wrong with the tiles of a kernel that loads all of M and N: they are not read, or
// one is stored less often, though all tiles are whole. Else nothing.
inline std::string causeInTiles(const cusim::LaunchReport& launch, const matrix::Matrix& P) {
    if (launch.shared().loads == 0) {
        lab::blameNoStep();
        return "\nNo thread reads the tiles: does the loop over the products run?";
    }
    std::vector<const cusim::ArrayReport*> tiles;
    for (const auto& array : launch.arrays)
        if (array.space == cusim::Space::Shared) tiles.push_back(&array);
    const bool whole = P.rows() == tileWidth() && P.cols() == tileWidth() && tiles.size() == 2;
    const bool alike = whole && tiles[0]->count.stores == tiles[1]->count.stores;
    const float* const all = P.data();
    if (alike && std::all_of(all, all + P.size(), [](float value) { return value == 0.0f; })) {
        lab::blameNoStep();
        return "\nThe tiles are stored and read, but 0 is stored in P: store after the "
               "products\nare added.";
    }
    if (!whole || alike) return "";
    lab::blameNoStep();
    return lab::filled(
        "\n{} gets {}, but {} gets {}: each load must fill\nthe tile of its own matrix.",
        tiles[0]->name, lab::count(tiles[0]->count.stores, "store"), tiles[1]->name,
        tiles[1]->count.stores);
}

// Returns why a product of matrices that are stored by rows is wrong, and blames the step of the
// loads, or of the store, if they are at fault; empty if loads and launch are right.
inline std::string causeInKernel(const Factor& M, const Factor& N, const matrix::Matrix& P) {
    const auto& launch = lab::launchOf("subMatrixMul");
    const int rowOfP = P.rows(), colsOfP = P.cols();
    if (launch.grid.x < static_cast<unsigned>(tilesIn(colsOfP)) ||
        launch.grid.y < static_cast<unsigned>(tilesIn(rowOfP))) {
        lab::blameNoStep();
        return lab::filled("\nThe grid has {} x {} blocks, but P needs {} x {}.", launch.grid.x,
                           launch.grid.y, tilesIn(colsOfP), tilesIn(rowOfP));
    }
    const int phaseOfM = neverLoaded(M, false), phaseOfN = neverLoaded(N, true);
    const bool fewBarriers =
        launch.barriersPerThread < 2 * static_cast<unsigned>(tilesIn(M.part.cols()));
    if (phaseOfM == phaseOfN && (phaseOfM > 0 || (phaseOfM == 0 && fewBarriers))) {
        lab::blameNoStep();
        return lab::filled("\nColumn {} of M and row {} of N are not loaded: a phase is missing.",
                           phaseOfM, phaseOfM);
    }
    for (const Factor& factor : {M, N})
        for (const bool row : {false, true}) {
            const int line = neverLoaded(factor, row);
            if (line < 0) continue;
            const std::string none = lab::filled("\nNo element of {} {} of {} is loaded",
                                                 row ? "row" : "column", line, factor.name);
            const bool isM = factor.name[0] == 'M';
            if (row == isM && isUnwritten(P, row, line)) {
                lab::blameNoStep();
                return lab::filled("{},\nand no such element of P is stored: is {} right?", none,
                                   isM ? "Row" : "Col");
            }
            lab::beginWith(factor.load);
            if (countsBytes(factor))
                return lab::filled(
                    "{}:\nits rows are loaded ld{} = {} bytes apart, but ld{} counts elements.",
                    none, static_cast<char>(factor.name[0] + 32), factor.part.ld(),
                    static_cast<char>(factor.name[0] + 32));
            const int across = isM ? colsOfP : rowOfP;
            const std::string other = loadedInstead(factor, product(tilesIn(across), 1));
            return none + (other.empty() ? ":\ndoes an if exclude threads, or is the index wrong?"
                                         : other);
        }
    return causeInTiles(launch, P);
}
