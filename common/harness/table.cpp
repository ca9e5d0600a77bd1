#include "harness/table.h"

#include <algorithm>

#include "harness/counters.h"
#include "harness/report.h"
#include "harness/text.h"

namespace harness {
namespace {

constexpr std::size_t kWidest = 100;
constexpr std::size_t kError = 7, kBound = 6, kRatio = 5, kTime = 5;
constexpr std::size_t kGaps = 8 * 2;

std::string shape(const ProductSet& set) {
    return std::to_string(set.j()) + "x" + std::to_string(set.k()) + "x" + std::to_string(set.l());
}

}  // namespace

struct Table::Cells {
    std::string set, shape, verdict, error, bound, loads, stores, ratio, time;
};

Table::Table(std::ostream& out, const std::vector<ProductSet>& sets)
    : out_(out), set_(3), shape_(5), verdict_(7), loads_(6), stores_(6) {
    for (const ProductSet& set : sets) {
        set_ = std::max(set_, std::min<std::size_t>(set.name.size(), 25));
        shape_ = std::max(shape_, shape(set).size());
        // A naive kernel loads as often as it computes, and stores each element once.
        loads_ = std::max(loads_, grouped(flopOf(set)).size());
        stores_ = std::max(stores_, grouped(static_cast<std::uint64_t>(set.j()) *
                                            static_cast<std::uint64_t>(set.l()))
                                        .size());
    }
    const std::size_t others =
        set_ + shape_ + kError + kBound + loads_ + stores_ + kRatio + kTime + kGaps;
    verdict_ = others + verdict_ < kWidest ? std::min<std::size_t>(kWidest - others, 27) : verdict_;
    print({"", "", "", "largest", "", "global", "global", "FLOP/", ""});
    print({"set", "shape", "verdict", "error", "bound", "loads", "stores", "load", "ms"});
    const auto rule = [](std::size_t width) { return std::string(width, '-'); };
    print({rule(set_), rule(shape_), rule(verdict_), rule(kError), rule(kBound), rule(loads_),
           rule(stores_), rule(kRatio), rule(kTime)});
}

void Table::row(const ProductSet& set, const JudgedRun& run) {
    Cells cells;
    cells.set = set.name;
    cells.shape = shape(set);
    cells.verdict = run.verdict;
    cells.error = run.returned ? errorSize(run.comparison.largestError) : "-";
    cells.bound = set.exact ? "0" : run.returned ? errorSize(run.comparison.itsBound) : "-";
    cells.loads = cells.stores = cells.ratio = "-";
    if (const auto traffic = globalTraffic()) {
        cells.loads = grouped(traffic->loads);
        cells.stores = grouped(traffic->stores);
        if (traffic->loads > 0)
            cells.ratio =
                plain(static_cast<double>(flopOf(set)) / static_cast<double>(traffic->loads));
    }
    cells.time = plain(run.seconds * 1e3);
    print(cells);
}

void Table::print(const Cells& cells) {
    // A kernel with unforeseen counts takes their room from its verdict.
    const std::size_t excess = std::max(cells.loads.size(), loads_) - loads_ +
                               std::max(cells.stores.size(), stores_) - stores_;
    const std::size_t verdict = verdict_ - std::min(excess, verdict_ - 2);
    std::string text = left(cutBeginning(cells.set, set_), set_) + "  " +
                       left(cells.shape, shape_) + "  " +
                       left(cutEnd(cells.verdict, verdict), verdict) + "  " +
                       right(cells.error, kError) + "  " + right(cells.bound, kBound) + "  " +
                       right(cells.loads, loads_) + "  " + right(cells.stores, stores_) + "  " +
                       right(cells.ratio, kRatio) + "  " + right(cells.time, kTime);
    text.erase(text.find_last_not_of(' ') + 1);
    out_ << text << "\n" << std::flush;
}

}  // namespace harness
