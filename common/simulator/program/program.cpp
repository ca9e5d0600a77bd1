// Reports the findings of a program that common/simulator/cusim has built: each goes to stderr when
// it is found, and a summary of all when the program ends, however it ends. These variables change
// that:
//   CUSIM_FINDINGS=file    adds the findings to this file instead of stderr, one JSON object per
//                          line
//   CUSIM_EXIT_STATUS=n    ends the program with this status, 1 to 255, if there is a finding that
//                          is more than a remark
//   CUSIM_SUMMARY=always   prints a summary even if nothing was found
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "simulator/api/report.h"
#include "simulator/engine/faults.h"
#include "simulator/engine/runtime.h"
#include "simulator/engine/stored_values.h"
#include "simulator/engine/waits.h"
#include "simulator/memory/device_memory.h"
#include "simulator/simulator.h"

// The C library's own; calls of _exit() are redirected to the simulator (--wrap).
// NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
extern "C" [[noreturn]] void __real__exit(int status);

namespace cusim {
namespace {

constexpr std::size_t kMostShown = 20, kMostOfKind = 6;  // the latter until the program ends

// One finding and the number of launches, or of calls of host code, that had it.
struct Repeated {
    Finding finding;
    std::uint64_t times = 1;
    bool shown = false;
    std::string line = {};  // of the summary
};

struct Found {
    std::vector<Repeated> all;
    pid_t process = getpid();
    int status = 0;  // of CUSIM_EXIT_STATUS; 0 if it is not set
    bool ended = false;
};

Found& found() {
    static auto* const own = new Found;  // outlives static destructors
    return *own;
}

bool isSame(const Finding& a, const Finding& b) {
    const auto samePlace = [](const Place& one, const Place& other) {
        return one.line == other.line && one.file == other.file;
    };
    return a.kind == b.kind && a.line == b.line && a.file == b.file && a.kernel == b.kernel &&
           std::equal(a.others.begin(), a.others.end(), b.others.begin(), b.others.end(),
                      samePlace);
}

bool isSet(const char* variable) {
    const char* const value = std::getenv(variable);
    return value && *value;
}

bool wantsColour() {
    return isatty(STDERR_FILENO) && !std::getenv("NO_COLOR") && isSet("TERM") &&
           std::strcmp(std::getenv("TERM"), "dumb") != 0;
}

void show(Repeated& one) {
    one.shown = true;
    if (isSet("CUSIM_FINDINGS")) return;
    std::fflush(stdout);
    std::fprintf(stderr, "%s\n",
                 (wantsColour() ? colouredText(one.finding) : text(one.finding)).c_str());
}

std::string lineOf(const Finding& finding) {
    return joined("  ", finding.kind, finding.remark ? " (a remark)" : "",
                  finding.file.empty() ? "" : ", " + text(Place{finding.file, finding.line}));
}

void hear(const Finding& finding) {
    auto& all = found().all;
    const auto before = std::find_if(
        all.begin(), all.end(), [&](const Repeated& one) { return isSame(one.finding, finding); });
    if (before != all.end()) {
        ++before->times;
        return;
    }
    all.push_back({finding});
    addSource(all.back().finding);
    all.back().line = lineOf(all.back().finding);
    std::size_t shown = 0, ofKind = 0;
    for (const Repeated& one : all) {
        shown += one.shown;
        ofKind +=
            one.shown && one.finding.kind == finding.kind && one.finding.kernel == finding.kernel;
    }
    if (shown < kMostShown && ofKind < kMostOfKind) show(all.back());
}

// Returns lines about allocations that were never freed and launches never checked for errors.
std::string neverFreedOrChecked() {
    std::size_t left = 0, bytes = 0, unasked = 0;
    Place firstLeft, firstUnasked;
    // After a call that failed, most others fail, or the program ends early.
    const bool failed = !Runtime::instance().lastFailed.function.empty();
    for (const auto& one : DeviceMemory::instance().allocations()) {
        if (failed || !one->live || one->isVariable()) continue;
        if (one->at.line == 0) continue;  // a library's own
        if (left++ == 0) firstLeft = one->at;
        bytes += one->bytes;
    }
    for (const LaunchReport& launch : launches())
        if (!launch.errorAsked && unasked++ == 0) firstUnasked = launch.at;
    std::string sentences;
    if (left > 0)
        sentences += joined("  never freed: ", counted(left, "allocation"), ", ", bytes,
                            " bytes; the first at ", text(firstLeft), "\n");
    if (unasked > 0)
        sentences +=
            joined("  never checked for errors: ", unasked, unasked == 1 ? " launch" : " launches",
                   "; the first at ", text(firstUnasked), "\n");
    return sentences;
}

// Returns a line about the products of tensor cores; empty without any.
std::string tensorOperations() {
    std::uint64_t products = 0, flop = 0;
    for (const LaunchReport& launch : launches()) {
        products += launch.tensorOperations;
        flop += launch.tensorFlop;
    }
    return products == 0 ? ""
                         : joined("  tensor cores: ", counted(products, "product"),
                                  " by a warp (mma_sync), with ", flop, " operations\n");
}

void writeFile(const char* file) {
    std::FILE* const out = std::fopen(file, "a");
    for (const Repeated& one : found().all)
        if (out) std::fprintf(out, "%s\n", json(one.finding).c_str());
    if (!out || std::fclose(out) != 0)
        std::fprintf(stderr, "CUSIM_FINDINGS: %s cannot be written; choose another file\n", file);
}

void writeSummary() {
    auto& all = found().all;
    // Those that had to wait, because there were many of one kind in one kernel.
    auto shown = static_cast<std::size_t>(
        std::count_if(all.begin(), all.end(), [](const Repeated& one) { return one.shown; }));
    for (Repeated& one : all)
        if (!one.shown && shown++ < kMostShown) show(one);
    if (all.empty() && !isSet("CUSIM_SUMMARY")) return;
    std::string out = joined("simulated device: ", all.empty() ? "no" : std::to_string(all.size()),
                             " finding", all.size() == 1 ? "" : "s", "\n");
    for (const Repeated& one : all) {
        if (!one.shown) continue;
        out += one.line;
        if (one.times > 1) out += joined(", ", one.times, " times");
        out += "\n";
    }
    if (all.size() > kMostShown)
        out += joined("  and ", all.size() - kMostShown,
                      " more; CUSIM_FINDINGS=file writes all of them\n");
    std::fputs((out + tensorOperations() + neverFreedOrChecked()).c_str(), stderr);
}

// Writes the summary without memory from the heap, which may be corrupt.
void endByAbort() {
    Found& own = found();
    if (own.ended || own.process != getpid()) return;
    own.ended = true;
    std::fflush(stdout);
    const auto say = [](const char* words) {
        if (write(STDERR_FILENO, words, std::strlen(words)) < 0) return;
    };
    char number[32];
    std::snprintf(number, sizeof number, "%zu finding%s\n", own.all.size(),
                  own.all.size() == 1 ? "" : "s");
    if (!std::getenv("CUSIM_FINDINGS")) {
        say("simulated device: "), say(number);
        for (const Repeated& one : own.all)
            if (one.shown) say(one.line.c_str()), say("\n");
        say("  The program ended by abort(). If the C library names malloc() or free() above, host "
            "code\n  has stored past the end of a host array: check its sizes and loops.\n");
    }
    const bool wrong = std::any_of(own.all.begin(), own.all.end(),
                                   [](const Repeated& one) { return !one.finding.remark; });
    if (wrong && own.status != 0) __real__exit(own.status);
}

void end() {
    Found& own = found();
    if (own.ended || own.process != getpid()) return;
    own.ended = true;
    Waits::instance().report();
    std::fflush(stdout);
    if (isSet("CUSIM_FINDINGS"))
        writeFile(std::getenv("CUSIM_FINDINGS"));
    else
        writeSummary();
    const bool wrong = std::any_of(own.all.begin(), own.all.end(),
                                   [](const Repeated& one) { return !one.finding.remark; });
    if (!wrong || own.status == 0) return;
    std::fflush(nullptr);
    __real__exit(own.status);
}

void endBySignal(int signal) {
    alarm(5);  // the signal may have come while the C library was at work
    signal == SIGABRT ? endByAbort() : end();
    alarm(0);
    ::signal(signal, SIG_DFL);
    raise(signal);
}

int readStatus() {
    if (!isSet("CUSIM_EXIT_STATUS")) return 0;
    const int status = std::atoi(std::getenv("CUSIM_EXIT_STATUS"));
    if (status >= 1 && status <= 255) return status;
    std::fprintf(stderr, "CUSIM_EXIT_STATUS: '%s' is not understood; write 1 to 255\n",
                 std::getenv("CUSIM_EXIT_STATUS"));
    __real__exit(2);
}

// A class, so that it begins before main(), and before an object of the program is destroyed.
struct Begin {
    Begin() {
        found().status = readStatus();
        Options& chosen = options();  // ends the program if a value is wrong
        // These two only describe what a kernel does, and find nothing.
        if (!isSet("CUSIM_CHECKS")) chosen.count = chosen.warps = false;
        // One thread may do all the work of a program.
        chosen.secondLimit = 100;
        StoredValues::wanted = false;
        chosen.tolerant = true;
        tellFindings(hear);
        tellEnd(end);
        std::atexit(end);
        useAlternateSignalStack();
        for (const int signal : {SIGABRT, SIGTERM, SIGINT})
            if (::signal(signal, endBySignal) == SIG_IGN) ::signal(signal, SIG_IGN);
    }
} const begin;

}  // namespace
}  // namespace cusim
