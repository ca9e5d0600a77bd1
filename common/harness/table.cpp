#include "harness/table.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "harness/counters.h"
#include "harness/report.h"
#include "harness/text.h"

namespace harness {
namespace {

// Column widths: with gaps of one blank at most 80 columns for the sets that ship.
constexpr std::size_t kSet = 19, kVerdict = 4, kError = 7, kBound = 6, kRatio = 4, kTime = 5;
constexpr std::size_t kFewer = 5, kExpected = 2;

std::string shape(const ProductSet& set) {
    return std::to_string(set.j()) + "x" + std::to_string(set.k()) + "x" + std::to_string(set.l());
}

// Returns the name without the shape, which has a column of its own: rect-ramp.
std::string labelOf(const ProductSet& set) {
    char sizes[48];
    std::snprintf(sizes, sizeof sizes, "-%03dx%03dx%03d", set.j(), set.k(), set.l());
    std::string label = set.name;
    const std::size_t at = label.find(sizes);
    if (at != std::string::npos) label.erase(at, std::strlen(sizes));
    return label;
}

}  // namespace

struct Table::Cells {
    std::string set, shape, verdict, error, bound, loads, stores, ratio, expected, time;
};

Table::Table(std::ostream& out, const std::vector<ProductSet>& sets, int fewerLoads)
    : out_(out), fewerLoads_(fewerLoads), set_(3), shape_(5), loads_(6), stores_(6) {
    for (const ProductSet& set : sets) {
        set_ = std::max(set_, std::min(labelOf(set).size(), kSet));
        shape_ = std::max(shape_, shapeOf(set).size());
        // A naive kernel loads once per operation and stores each element once.
        loads_ = std::max(loads_, grouped(flopOf(set)).size());
        stores_ = std::max(stores_, grouped(static_cast<std::uint64_t>(set.j()) *
                                            static_cast<std::uint64_t>(set.l()))
                                        .size());
    }
    print({"", "", "", "largest", "", "global", "global", fewerLoads_ ? "fewer" : "FLOP", "", ""});
    print({"set", fewerLoads_ ? "Width" : "shape", "", "error", "bound", "loads", "stores",
           fewerLoads_ ? "times" : "/ld", "of", "ms"});
    const auto rule = [](std::size_t width) { return std::string(width, '-'); };
    print({rule(set_), rule(shape_), rule(kVerdict), rule(kError), rule(kBound), rule(loads_),
           rule(stores_), rule(fewerLoads_ ? kFewer : kRatio), rule(kExpected), rule(kTime)});
}

// Returns one width where the reduction is shown: its sets are square, and three would not fit.
std::string Table::shapeOf(const ProductSet& set) const {
    return fewerLoads_ && set.square() ? std::to_string(set.j()) : shape(set);
}

void Table::row(const ProductSet& set, const JudgedRun& run) {
    Cells cells;
    cells.set = labelOf(set);
    cells.shape = shapeOf(set);
    // The explanation does not fit here; that of the first wrong set follows the table.
    cells.verdict = run.verdict == "ok" ? "ok" : "FAIL";
    cells.error = run.returned ? errorSize(run.comparison.largestError) : "-";
    cells.bound = set.exact ? "0" : run.returned ? errorSize(run.comparison.itsBound) : "-";
    cells.loads = cells.stores = cells.ratio = "-";
    cells.expected = std::to_string(fewerLoads_);
    if (const auto traffic = globalTraffic()) {
        cells.loads = grouped(traffic->loads);
        cells.stores = grouped(traffic->stores);
        // The naive kernel loads once per operation, so this ratio also says how many times fewer
        // loads there are.
        if (traffic->loads > 0)
            cells.ratio =
                plain(static_cast<double>(flopOf(set)) / static_cast<double>(traffic->loads));
    }
    cells.time = plain(run.seconds * 1e3);
    print(cells);
}

void Table::print(const Cells& cells) {
    std::string text = left(cutBeginning(cells.set, set_), set_);
    const auto add = [&text](const std::string& cell) { text += " " + cell; };
    add(left(cells.shape, shape_));
    add(left(cells.verdict, kVerdict));
    add(right(cells.error, kError));
    add(right(cells.bound, kBound));
    add(right(cells.loads, loads_));
    add(right(cells.stores, stores_));
    add(right(cells.ratio, fewerLoads_ ? kFewer : kRatio));
    if (fewerLoads_) add(right(cells.expected, kExpected));
    add(right(cells.time, kTime));
    text.erase(text.find_last_not_of(' ') + 1);
    out_ << text << "\n" << std::flush;
}

}  // namespace harness
