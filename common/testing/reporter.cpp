// A report that reads as a list of facts: one line a test, and under a failed one the sentences
// that explain it. Catch2's own reporters show expressions of the test's source, which a student
// has not seen.
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include "testing/reporter.h"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <set>

#include "testing/catch.h"
#include "testing/results_file.h"
#include "testing/terminal.h"

namespace testing {

class FactReporter;

namespace {

std::set<std::string> findingKinds;
std::set<std::string> findingsOfTest;
std::string whyLeftOut;  // of the running test; empty where it is not
int ended = 0;

#if LABS_CATCH3
using Base = Catch::StreamingReporterBase;
const Catch::TestCaseInfo& infoOf(const Catch::TestCaseStats& stats) { return *stats.testInfo; }
#else
using Base = Catch::StreamingReporterBase<FactReporter>;
const Catch::TestCaseInfo& infoOf(const Catch::TestCaseStats& stats) { return stats.testInfo; }
#endif

std::string indented(const std::string& text) {
    std::string out = "       ";
    for (const char c : text) {
        out += c;
        if (c == '\n') out += "       ";
    }
    while (!out.empty() && (out.back() == ' ' || out.back() == '\n')) out.pop_back();
    return out;
}

}  // namespace

class FactReporter : public Base {
  public:
#if LABS_CATCH3
    explicit FactReporter(Catch::ReporterConfig&& config) : Base(std::move(config)) {}
#else
    explicit FactReporter(const Catch::ReporterConfig& config) : Base(config) {}
#endif
    void fatalErrorEncountered(Catch::StringRef) override { brokenOff_ = true; }

    static std::string getDescription() { return "one line a fact, failures explained"; }

#if LABS_CATCH3
    void assertionEnded(const Catch::AssertionStats& stats) override { onAssertion(stats); }
#else
    void assertionStarting(const Catch::AssertionInfo&) override {}
    bool assertionEnded(const Catch::AssertionStats& stats) override {
        onAssertion(stats);
        return true;
    }
#endif

    void testCaseEnded(const Catch::TestCaseStats& stats) override {
        ++ended;
        const bool good = stats.totals.assertions.failed == 0;
        results_.testEnded(infoOf(stats).name,
                           !good                ? Status::Failed
                           : whyLeftOut.empty() ? Status::Passed
                                                : Status::LeftOut,
                           findingsOfTest, good ? whyLeftOut : explanation_);
        findingsOfTest.clear();
        if (good && !whyLeftOut.empty()) {
            ++leftOut_;
            std::cout << "  --  left out: " << infoOf(stats).name << "\n"
                      << indented(whyLeftOut) << "\n";
            whyLeftOut.clear();
            return Base::testCaseEnded(stats);
        }
        whyLeftOut.clear();
        ++(good ? passed_ : failed_);
        const bool colour = wantsColour();
        std::cout << (good ? (colour ? "\033[32m  ok\033[0m  " : "  ok  ")
                           : (colour ? "\033[31mFAIL\033[0m  " : "FAIL  "))
                  << infoOf(stats).name << "\n";
        if (!good && shown_ < kMostExplained) {
            ++shown_;
            std::cout << explanation_;
        } else if (!good) {
            std::cout << firstLine_;
        }
        std::cout << std::flush;
        explanation_.clear();
        firstLine_.clear();
        explained_ = 0;
        Base::testCaseEnded(stats);
    }

    void testRunEnded(const Catch::TestRunStats& stats) override {
        if (!findingKinds.empty()) {
            std::cout << "\nFindings:";
            const char* separator = " ";
            for (const std::string& kind : findingKinds) {
                std::cout << separator << kind;
                separator = ", ";
            }
            std::cout << "\n";
        }
        if (passed_ + failed_ + leftOut_ == 0)
            std::cout << "No test of that name.\n";
        else
            std::cout << "\n" << passed_ << " passed, " << failed_ << " failed\n";
        std::cout << std::flush;
        results_.runEnded(!brokenOff_ && !stats.aborting);
        Base::testRunEnded(stats);
    }

  private:
    // More than this is not read; the tests that follow still say in a line what is wrong.
    static constexpr int kMostExplained = 12;

    void onAssertion(const Catch::AssertionStats& stats) {
        const auto& result = stats.assertionResult;
        if (result.isOk() || ++explained_ > 3) return;
        std::string text;
        for (const auto& info : stats.infoMessages) text += info.message + "\n";
        if (text.empty() || result.hasExpression()) {
            text += result.getSourceInfo().file;
            text += ":" + std::to_string(result.getSourceInfo().line) + ": ";
            text += std::string(result.getExpression()) + "\n";
            if (result.hasExpandedExpression())
                text += "  that is " + std::string(result.getExpandedExpression()) + "\n";
        }
        explanation_ += indented(text) + "\n";
        if (firstLine_.empty()) firstLine_ = indented(text.substr(0, text.find('\n'))) + "\n";
    }

    std::string explanation_, firstLine_;
    int explained_ = 0, passed_ = 0, failed_ = 0, leftOut_ = 0, shown_ = 0;
    bool brokenOff_ = false;
    ResultsFile results_{!m_config->hasTestFilters() && m_config->getSectionsToRun().empty()};
};

CATCH_REGISTER_REPORTER("facts", FactReporter)

int testsEnded() { return ended; }

void noteLeftOut(const std::string& reason) { whyLeftOut = reason; }

void noteFinding(const std::string& kind) {
    findingKinds.insert(kind);
    findingsOfTest.insert(kind);
    // A run on a card may not come to its end; who put it there reads them from this file.
    if (const char* const file = std::getenv("LAB_FINDINGS"))
        std::ofstream(file, std::ios::app) << kind << "\n";
}

}  // namespace testing
