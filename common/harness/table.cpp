#include "harness/table.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "harness/counters.h"
#include "harness/report.h"
#include "harness/text.h"

namespace harness {
namespace {

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

// The widths give at most 80 columns, with gaps of one blank, for the sets of the catalogue.
Table::Table(std::ostream& out, const std::string& lab, const std::vector<ProductSet>& sets,
             int fewerLoads)
    : out_(out), lab_(lab), fewerLoads_(fewerLoads) {
    std::size_t label = 3, shape = 5, loads = 6, stores = 6;
    for (const ProductSet& set : sets) {
        label = std::max(label, std::min(labelOf(set).size(), std::size_t{19}));
        shape = std::max(shape, shapeOf(set).size());
        // A naive kernel loads once per operation and stores each element once.
        loads = std::max(loads, grouped(flopOf(set)).size());
        stores = std::max(stores, grouped(set.elements()).size());
    }
    columns_ = {{"", "set", label, left},
                {"", fewerLoads ? "Width" : "shape", shape, left},
                {"", "", 4, left},
                {"largest", "error", 7, right},
                {"", "bound", 6, right},
                {"global", "loads", loads, right},
                {"global", "stores", stores, right}};
    if (fewerLoads) {
        columns_.push_back({"fewer", "times", 5, right});
        columns_.push_back({"", "of", 2, right});
    } else {
        columns_.push_back({"FLOP", "/ld", 4, right});
    }
    columns_.push_back({titleOfTimes().first, titleOfTimes().second, 5, right});
    std::vector<std::string> above, titles, rules;
    for (const Column& column : columns_) {
        above.emplace_back(column.above);
        titles.emplace_back(column.title);
        rules.emplace_back(column.width, '-');
    }
    for (const auto& line : {above, titles, rules}) print(line);
}

// Returns one width if the reduction is shown: the sets are square, and three would not fit.
std::string Table::shapeOf(const ProductSet& set) const {
    return fewerLoads_ && set.square() ? std::to_string(set.j()) : shape(set);
}

void Table::row(const ProductSet& set, const JudgedRun& run) {
    std::string loads = "-", stores = "-", ratio = "-";
    const auto traffic = globalTraffic();
    if (traffic) {
        loads = grouped(traffic->loads);
        stores = grouped(traffic->stores);
        // The naive kernel loads once per operation, so this ratio is also the reduction of the
        // loads.
        if (traffic->loads > 0)
            ratio = plain(static_cast<double>(flopOf(set)) / static_cast<double>(traffic->loads));
    }
    std::vector<std::string> cells{
        labelOf(set), shapeOf(set),
        // The explanation does not fit here; that of the first wrong set follows the table.
        run.verdict == "ok" ? "ok" : "FAIL",
        run.returned ? errorSize(run.comparison.largestError) : "-",
        set.exact      ? "0"
        : run.returned ? errorSize(run.comparison.itsBound)
                       : "-",
        loads, stores, ratio};
    if (fewerLoads_) cells.push_back(std::to_string(fewerLoads_));
    const auto modelled = modelledRun(lab_, flopOf(set));
    cells.push_back(modelled                 ? plain(modelled->microseconds)
                    : run.kernelMicroseconds ? plain(*run.kernelMicroseconds)
                                             : "-");
    print(cells);
}

void Table::print(const std::vector<std::string>& cells) {
    std::string text;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const Column& column = columns_[i];
        text += i == 0 ? column.aligned(cutBeginning(cells[i], column.width), column.width)
                       : " " + column.aligned(cells[i], column.width);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out_ << text << "\n" << std::flush;
}

}  // namespace harness
