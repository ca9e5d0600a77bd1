#include "harness/report.h"

#include <cmath>
#include <cstdlib>

#include "harness/counters.h"
#include "harness/text.h"
#include "testing/device.h"

namespace harness {
namespace {

void line(std::ostream& out, const char* label, const std::string& text) {
    out << "  " << left(label, 9) << text << "\n";
}

std::string errorText(const ProductSet& set, const matrix::Comparison& comparison) {
    if (!std::isfinite(comparison.largestError)) return "some elements are not numbers";
    const std::string error = "largest error " + errorSize(comparison.largestError) + ", ";
    return set.exact ? error + "none allowed: whole numbers, exact in any order"
                     : error + "its bound " + errorSize(comparison.itsBound);
}

}  // namespace

std::uint64_t flopOf(const ProductSet& set) {
    return 2 * set.elements() * static_cast<std::uint64_t>(set.k());
}

void printReport(std::ostream& out, const std::string& lab, const ProductSet& set,
                 const JudgedRun& run) {
    out << lab << " on " << device::name() << "\n";
    const char* kernel = std::getenv("LAB_KERNEL");
    if (kernel && *kernel) line(out, "kernel", cutBeginning(kernel, 69));
    line(out, "set", cutBeginning(set.name, 69));
    line(out, "shape", product(set.j(), set.k(), set.l()));
    line(out, "verdict",
         run.ok
             ? "ok: " + (run.P.size() == 1 ? "its only element is right"
                                           : "all " + grouped(run.P.size()) + " elements are right")
             : run.verdict);
    if (run.returned) line(out, "accuracy", errorText(set, run.comparison));
    const std::string counts = describeLaunches(lab, flopOf(set));
    // A simulation's own time says nothing about a card's.
    const std::string whole = plain(run.seconds * 1e3) + " ms for the whole call";
    if (run.kernelMicroseconds)
        line(out, "time", plain(*run.kernelMicroseconds) + " us for the kernel, " + whole);
    else if (counts.empty())
        line(out, "time", whole);
    if (!run.ok) out << "\n" << run.explanation;
    if (!counts.empty()) out << "\n" << counts;
    out.flush();
}

void printBrief(std::ostream& out, const std::string& lab, const ProductSet& set,
                const JudgedRun& run) {
    const std::string counts = briefCounts(lab, flopOf(set));
    out << left(lab, 12) << " "
        << (!run.ok                  ? run.verdict
            : run.kernelMicroseconds ? plain(*run.kernelMicroseconds) + " us"
            : counts.empty()         ? "-"
                                     : counts)
        << "\n";
}

}  // namespace harness
