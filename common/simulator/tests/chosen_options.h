// Resets the device and the options, which a test may then change, and restores both at its end.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "simulator/simulator.h"
#include "testing/catch.h"

class ChosenOptions {
  public:
    ChosenOptions() {
        // The defaults, whatever CUSIM_SCHEDULE and CUSIM_WORKERS say.
        cusim::options() = cusim::Options{};
        cusim::reset();
    }
    explicit ChosenOptions(int workers) : ChosenOptions() { cusim::options().workers = workers; }
    ~ChosenOptions() {
        cusim::options() = before_;
        cusim::reset();
    }
    ChosenOptions(const ChosenOptions&) = delete;
    ChosenOptions& operator=(const ChosenOptions&) = delete;

  private:
    cusim::Options before_ = cusim::options();
};

// A test case that begins with a device as new and with the default options.
#define DEVICE_TEST(name) TEST_CASE_METHOD(ChosenOptions, name)

// Runs a test with several numbers of host threads, under several schedules each.
template <class Test>
void underEachSchedule(Test test, const std::vector<int>& workers = {1, 2, 5}) {
    for (const int count : workers)
        for (const std::string schedule : {"forward", "reverse", "random:3"}) {
            const ChosenOptions chosen(count);
            cusim::options().schedule = schedule;
            INFO(count << " workers, " << schedule);
            test();
        }
}

inline void checkNothingFound() {
    for (const cusim::Finding& finding : cusim::findings()) FAIL_CHECK(cusim::text(finding));
}

// Returns the only finding.
inline cusim::Finding onlyFinding() {
    REQUIRE(cusim::findings().size() == 1);
    return cusim::findings()[0];
}

// Returns the only launch, which left no finding.
inline const cusim::LaunchReport& onlyLaunch() {
    REQUIRE(cusim::findings().empty());
    REQUIRE(cusim::launches().size() == 1);
    REQUIRE(cusim::launches()[0].completed);
    return cusim::launches()[0];
}

inline bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}
inline bool anyHolds(const std::vector<std::string>& texts, const std::string& part) {
    return std::any_of(texts.begin(), texts.end(),
                       [&](const std::string& text) { return holds(text, part); });
}
