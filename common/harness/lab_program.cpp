#include "harness/lab_program.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/chosen_sets.h"
#include "harness/command_line.h"
#include "harness/counters.h"
#include "harness/expected_file.h"
#include "harness/judged_run.h"
#include "harness/report.h"
#include "harness/table.h"
#include "harness/text.h"
#include "matrix/format.h"
#include "testing/device.h"

namespace harness {
namespace {

constexpr int kCallsCompared = 20;

enum Status { kRight = 0, kWrongKernel = 1, kWrongInput = 2 };

// Reports the shortest of several `calls`, because a card's clock rises with its work.
JudgedRun runOn(const Lab& lab, const ProductSet& set, int calls = 1) {
    const matrix::Reference reference = matrix::multiply(set.M, set.N);
    checkExpected(set, reference);
    JudgedRun run = judge(lab.multiply, set, reference);
    for (; run.ok && run.kernelMicroseconds && calls > 1; --calls)
        run.kernelMicroseconds = std::min(run.kernelMicroseconds,
                                          judge(lab.multiply, set, reference).kernelMicroseconds);
    return run;
}

// Writes P, unless it has values that are not finite: matrix files have only finite numbers.
void writeProduct(std::ostream& out, const std::string& path, const JudgedRun& run) {
    const float* values = run.P.data();
    if (std::all_of(values, values + run.P.size(), [](float v) { return std::isfinite(v); }))
        matrix::writeMatrix(path, run.P);
    else
        out << "\n" << path << " is not written: P holds values that are not numbers.\n";
}

bool reportEach(const Lab& lab, const CommandLine& line, const std::vector<ProductSet>& sets,
                std::ostream& out) {
    bool right = true;
    for (const ProductSet& set : sets) {
        if (&set != &sets.front() && !line.brief) out << "\n";
        const JudgedRun run = runOn(lab, set, line.brief ? kCallsCompared : 1);
        (line.brief ? printBrief : printReport)(out, lab.name, set, run);
        if (!line.output.empty()) writeProduct(out, line.output, run);
        right = right && run.ok;
    }
    return right;
}

// On a terminal, shows what is running; the next text, also a kernel's own, overwrites it.
void showRunning(std::ostream& out, const std::string& text) {
    constexpr std::size_t kColumns = 79;
    if (&out == &std::cout && isatty(STDOUT_FILENO))
        out << '\r' << left(cutEnd(text, kColumns), kColumns) << '\r' << std::flush;
}

bool tabulate(const Lab& lab, const CommandLine& line, const std::vector<ProductSet>& sets,
              std::ostream& out) {
    std::string failed, explanation;
    Table table(out, lab.name, sets, lab.tileWidth);
    for (const ProductSet& set : sets) {
        const auto number = std::to_string(&set - &sets.front() + 1);
        showRunning(out, "[" + number + "/" + std::to_string(sets.size()) + "] " + lab.name + ", " +
                             set.name);
        const JudgedRun run = runOn(lab, set);
        showRunning(out, "");
        table.row(set, run);
        if (!line.output.empty()) writeProduct(out, line.output, run);
        if (run.ok || !failed.empty()) continue;
        failed = set.name;
        explanation = run.verdict + "\n" + run.explanation;
    }
    if (const std::string why = whyNoTimes(lab.name); !why.empty())
        out << "The modelled time is missing: " << why << ".\n";
    if (!failed.empty()) out << "\n" << failed << ": " << explanation;
    return failed.empty();
}

std::string shown(const std::string& path) { return std::filesystem::proximate(path).string(); }

// Says what a trace contains, at the end of a report. If no set is named, traces a separate run on
// a small set, so that the verdict is that of a run without a trace.
void reportTrace(const Lab& lab, const std::string& file, const ProductSet& judged,
                 std::ostream& out) {
    const ProductSet set = setToTrace(lab);
    traceTo(file);
    const JudgedRun run = runOn(lab, set);
    out << "\nTrace: " << shown(file) << ", of one more run, on " << set.name << ",\n"
        << product(set.j(), set.k(), set.l()) << (run.ok ? "" : " (" + run.verdict + ")")
        << ". It leaves out the run above, on\n"
        << judged.name << ": a trace is for small runs. ARGS='--set DIR' traces yours.\n";
}

int runAsked(const Lab& lab, const std::vector<std::string>& arguments, std::ostream& out) {
    const CommandLine line = parseCommandLine(arguments);
    if (line.help) {
        out << lab.name << "\n" << helpText();
        return kRight;
    }
    const std::vector<ProductSet> sets = chosenSets(line, lab);
    // The first call to a real device starts it; here it does not count as time of the first set.
    device::run([] {});
    const bool ownTrace = !line.namesSets() && !line.table;
    const std::string trace = traceTo("");
    if (!ownTrace) traceTo(trace);
    const bool right =
        line.table ? tabulate(lab, line, sets, out) : reportEach(lab, line, sets, out);
    if (!trace.empty() && ownTrace)
        reportTrace(lab, trace, sets.front(), out);
    else if (!trace.empty())
        out << "\nTrace: " << shown(trace)
            << ", of the runs above; lines with # say what is left out.\n";
    out.flush();
    return right ? kRight : kWrongKernel;
}

}  // namespace

std::string Lab::refusal(int j, int k, int l) const {
    if (square && (j != k || k != l)) return "multiplies square matrices of one width only";
    if (tileWidth && (j % tileWidth || k % tileWidth || l % tileWidth))
        return "takes only matrices whose Width is a multiple of its TILE_WIDTH, " +
               std::to_string(tileWidth);
    return "";
}

int runLab(const Lab& lab, int argc, char** argv, std::ostream& out, std::ostream& err) {
    try {
        return runAsked(lab, std::vector<std::string>(argv + std::min(argc, 1), argv + argc), out);
    } catch (const std::exception& error) {
        out.flush();
        err << lab.name << ": " << error.what() << "\n";
        return kWrongInput;
    } catch (...) {  // only on a card: its kernel's exceptions reach this function
        out.flush();
        err << lab.name << ": the code under test threw something that is not a std::exception\n";
        return kWrongKernel;
    }
}

}  // namespace harness
