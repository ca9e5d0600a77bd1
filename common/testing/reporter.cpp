// Reports tests as a list of facts, one line per test. Sentences explain the first failure, or with
// EXPLAIN=all in the environment every one. Catch2's own reporters would show expressions of the
// tests' source, which a student has not seen.
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include "testing/reporter.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "testing/blame.h"
#include "testing/catch.h"
#include "testing/environment.h"
#include "testing/failure.h"
#include "testing/paragraphs.h"
#include "testing/results_file.h"
#include "testing/terminal.h"

namespace testing {

class FactReporter;

namespace {

std::set<std::string> findingKinds;
std::vector<Finding> findingsOfTest;
std::vector<std::string> namedInTest;
EndOfRun endOfRun;
std::string whyLeftOut;   // of the running test; empty if it is not left out
std::string beginOfTest;  // the TODO that it waits for; empty if it waits for none
bool ofNoStep = false;    // its own TODO is not to blame
std::string printedInTest;
int ended = 0;

#if LABS_CATCH3
using Base = Catch::StreamingReporterBase;
const Catch::TestCaseInfo& infoOf(const Catch::TestCaseStats& stats) { return *stats.testInfo; }
#else
using Base = Catch::StreamingReporterBase<FactReporter>;
const Catch::TestCaseInfo& infoOf(const Catch::TestCaseStats& stats) { return stats.testInfo; }
#endif

// Returns the line "Findings: ...", broken into several on a terminal that it would not fit.
std::string lineOfFindings() {
    constexpr std::size_t kColumns = 80;
    std::string text, line = "Findings:";
    for (const std::string& kind : findingKinds) {
        if (kind != *findingKinds.begin()) line += ',';
        if (isatty(STDOUT_FILENO) && line.size() + kind.size() + 2 > kColumns) {
            text += line + "\n";
            line = " ";
        }
        line += ' ' + kind;
    }
    return text + line;
}

[[noreturn]] void endNow() {
    syscall(SYS_exit_group, 1);  // student code may define its own exit() and _exit()
    std::abort();
}

// Reports that the tests cannot continue, and ends the program in a second. Host code may have
// overwritten malloc's own data, so that a report, which allocates memory, may hang. Calls nothing
// that a signal handler must not call.
void reportAndEndSoon(bool fromOutside) {
    const std::string_view text =
        fromOutside ? "\nThe tests were ended from outside while the test below ran.\n"
                    : "\nThe tests cannot go on: the code under test has written outside of an "
                      "array in\nhost memory. Check what it writes, such as a copy back, and its "
                      "size in bytes.\n";
    [[maybe_unused]] const auto written = write(STDOUT_FILENO, text.data(), text.size());
    // The report may crash, too, and Catch2 has removed its handlers by now.
    for (const int signal : {SIGALRM, SIGABRT, SIGSEGV, SIGBUS})
        std::signal(signal, [](int) { endNow(); });
    alarm(1);
}

// Tests whether run_tests.py runs this program and writes the end of the report.
bool underRunTests() { return fromEnvironment("LAB_RUNNER") == "1"; }

}  // namespace

class FactReporter : public Base {
  public:
#if LABS_CATCH3
    explicit FactReporter(Catch::ReporterConfig&& config) : Base(std::move(config)) {}
#else
    explicit FactReporter(const Catch::ReporterConfig& config) : Base(config) {}
#endif
    void fatalErrorEncountered(Catch::StringRef signal) override {
        brokenOff_ = true;
        const std::string_view name(signal.data(), signal.size());
        reportAndEndSoon(name.substr(0, 6) == "SIGINT" || name.substr(0, 7) == "SIGTERM");
    }

    static std::string getDescription() { return "one line per fact, failures explained"; }

#if LABS_CATCH3
    void assertionEnded(const Catch::AssertionStats& stats) override { onAssertion(stats); }
#else
    void assertionStarting(const Catch::AssertionInfo&) override {}
    bool assertionEnded(const Catch::AssertionStats& stats) override {
        onAssertion(stats);
        return true;
    }
#endif

    void testRunStarting(const Catch::TestRunInfo& info) override {
        results_.runBegan();
        Base::testRunStarting(info);
    }

    void testCaseStarting(const Catch::TestCaseInfo& info) override {
        // The code under test may end the program; run_tests.py then names the test.
        if (const char* const file = std::getenv("LAB_RUNNING")) std::ofstream(file) << info.name;
        Base::testCaseStarting(info);
    }

    void testCaseEnded(const Catch::TestCaseStats& stats) override {
        ++ended;
        const bool good = stats.totals.assertions.failed == 0;
        const Failure failure = failureOf(infoOf(stats).name, good);
        const Status status = !good                ? Status::Failed
                              : whyLeftOut.empty() ? Status::Passed
                                                   : Status::LeftOut;
        const std::string full = status == Status::Failed    ? inFull(failure)
                                 : status == Status::LeftOut ? below(whyLeftOut)
                                                             : "";
        results_.testEnded(failure, status, full);
        ++counts_[static_cast<int>(status)];
        show(status, failure, full);
        whyLeftOut.clear();
        // The explanation of a failed test shows it.
        if (good) std::cerr << printedBelow(failure) << std::flush;
        printedInTest.clear();
        beginOfTest.clear();
        ofNoStep = false;
        findingsOfTest.clear();
        namedInTest.clear();
        endOfRun = {};
        explanation_.clear();
        explained_ = 0;
        Base::testCaseEnded(stats);
    }

    void testRunEnded(const Catch::TestRunStats& stats) override {
        if (ended == 0)
            std::cout << "No test of that name.\n";
        else if (!underRunTests())
            showEnd();
        std::cout << std::flush;
        results_.runEnded(!brokenOff_ && !stats.aborting);
        if (brokenOff_) endNow();
        Base::testRunEnded(stats);
    }

  private:
    Failure failureOf(const std::string& test, bool good) {
        Failure failure{test, explanation_, namedInTest, endOfRun, findingsOfTest, printedInTest};
        if (!good) {
            failure.ofNoStep = ofNoStep;
            const Blame blame = beginOfTest.empty()
                                    ? blameOf(failure, passedTodos_)
                                    : Blame{beginOfTest, "the test says so with lab::beginWith"};
            failure.begin = blame.todo;
            failure.rule = blame.rule;
            failure.beginsAtLine = beginOfTest.empty();
            heedEarlierRace(failure);
        }
        for (const std::string& todo : todosOfName(test)) {
            if (!good) failedTodos_.insert(todo);
            if (failedTodos_.count(todo))
                passedTodos_.erase(todo);
            else
                passedTodos_.insert(todo);
        }
        return failure;
    }

    // Begins with the TODO of the first test that met the same race, whatever this test is about.
    void heedEarlierRace(Failure& failure) {
        const std::string race = linesOfRace(failure);
        if (race.empty()) return;
        const auto own = todosOfName(failure.test);
        const std::string here = !failure.begin.empty()    ? failure.begin
                                 : own.empty() || ofNoStep ? ""
                                                           : own.front();
        const std::string first = races_.emplace(race, here).first->second;
        if (first == here || first.empty() || !beginOfTest.empty()) return;
        failure.begin = first;
        failure.rule = "an earlier test has met the same race";
        failure.beginsAtLine = false;
    }

    void showEnd() const {
        if (!findingKinds.empty()) std::cout << "\n" << lineOfFindings() << "\n";
        std::cout << "\n"
                  << count(Status::Passed) << " passed, " << count(Status::Failed) << " failed\n";
    }

    // Returns the rule by which the TODO to begin with was chosen (see blame.cpp).
    static std::string decidedBy(const Failure& failure) {
        if (failure.rule.empty()) return "";
        const bool noOwn = failure.ofNoStep || todosOfName(failure.test).empty();
        const std::string todo = !failure.begin.empty() ? failure.begin
                                 : noOwn                ? "no TODO"
                                                        : "its own TODO";
        return below("begin with " + todo + ": " + failure.rule + "\n");
    }

    int count(Status status) const { return counts_[static_cast<int>(status)]; }

    void show(Status status, const Failure& failure, const std::string& full) {
        if (status == Status::LeftOut) {
            std::cout << "  --  " << headline("left out: " + failure.test) << "\n"
                      << full << std::flush;
            return;
        }
        const bool colour = wantsColour();
        if (status == Status::Passed) {
            std::cout << (colour ? "\033[32m  ok\033[0m  " : "  ok  ") << headline(failure.test)
                      << std::endl;
            return;
        }
        const std::string explain = fromEnvironment("EXPLAIN");
        const bool rules = explain == "rules", all = rules || explain == "all";
        const bool first = count(Status::Failed) == 1 && fromEnvironment("LAB_EXPLAINED") != "1";
        if (!all && count(Status::Failed) == 2)
            std::cout << "\nThe words in [ ] say what is wrong, or which TODO to see.\n"
                         "EXPLAIN=all explains each FAIL.\n";
        std::cout << (colour ? "\033[31mFAIL\033[0m  " : "FAIL  ")
                  << (all || first ? headline(failure.test) : inShort(failure)) << "\n"
                  << (all     ? full + (rules ? decidedBy(failure) : "")
                      : first ? onAScreen(failure)
                              : "")
                  << std::flush;
    }

    void onAssertion(const Catch::AssertionStats& stats) {
        const auto& result = stats.assertionResult;
        if (result.isOk() || ++explained_ > 3) return;
        std::string text;
        auto messages = stats.infoMessages;
        const bool ofEnd = !endOfRun.text.empty();
        // The last message is the end of the run, which the report describes in its own words.
        if (ofEnd) messages.pop_back(), endOfRun.text += '\n';
        for (const auto& info : messages)
            if (!info.message.empty()) text += info.message + "\n";
        if ((text.empty() && !ofEnd) || result.hasExpression()) {
            text += result.getSourceInfo().file;
            text += ":" + std::to_string(result.getSourceInfo().line) + ": ";
            text += std::string(result.getExpression()) + "\n";
            if (result.hasExpandedExpression())
                text += "  that is " + std::string(result.getExpandedExpression()) + "\n";
        }
        explanation_ += text;
        if (!text.empty() && text.back() != '\n') explanation_ += '\n';
    }

    std::string explanation_;
    int explained_ = 0;
    int counts_[3] = {0, 0, 0};
    std::set<std::string> passedTodos_, failedTodos_;
    std::map<std::string, std::string> races_;  // from a race's lines to the TODO to begin with
    bool brokenOff_ = false;
    ResultsFile results_{underRunTests() ||
                         (!m_config->hasTestFilters() && m_config->getSectionsToRun().empty())};
};

CATCH_REGISTER_REPORTER("facts", FactReporter)

int testsEnded() { return ended; }

void noteLeftOut(const std::string& reason) { whyLeftOut = reason; }

void notePrinted(const std::string& text) {
    // An endless loop may print.
    constexpr std::size_t kMost = std::size_t{1} << 28;
    if (printedInTest.size() < kMost) printedInTest += text;
}

void noteBegin(const Todo& todo) { beginOfTest = todo.name; }

void noteOfNoStep() { ofNoStep = true; }

void noteNamed(const std::vector<std::string>& todos) {
    namedInTest.insert(namedInTest.end(), todos.begin(), todos.end());
}

void noteEndOfRun(const EndOfRun& end) { endOfRun = end; }

void addToEndOfRun(const std::string& line) {
    if (!endOfRun.text.empty()) endOfRun.text += line + "\n";
}

void noteFinding(const Finding& finding) {
    findingKinds.insert(finding.kind);
    findingsOfTest.push_back(finding);
    // run_tests.py reads the kinds from this file, since the run may end early.
    if (const char* const file = std::getenv("LAB_FINDINGS"))
        std::ofstream(file, std::ios::app) << finding.kind << "\n";
}

}  // namespace testing
