// Shows a racy kernel on one input: its answer depends on the order of the threads, the report does
// not.
#include <iostream>
#include <numeric>
#include <set>

#include "lab2_tiled/hazards/barriers.h"

namespace {

const int kNumbers = 64;
const int kShown = 8;

struct Answer {
    std::vector<float> out;
    std::string report;
};

// Uses the device directly, so that the findings of this run do not fail the test.
Answer rotate(const std::string& schedule) {
    const lab::ChosenOptions chosen;
    cusim::options().schedule = schedule;
    std::vector<float> in(kNumbers);
    std::iota(in.begin(), in.end(), 0.0F);
    Answer answer{std::vector<float>(kNumbers, -1.0F), ""};
    cusim::reset();
    testing::guarded(lab::gives(answer.out), [&] { racyRotate(in.data(), answer.out.data()); });
    for (const cusim::Finding& finding : cusim::findings()) answer.report += cusim::text(finding);
    return answer;
}

std::string line(const std::string& schedule, const std::vector<float>& out) {
    std::ostringstream text;
    text << "       " << schedule << std::string(10 - schedule.size(), ' ');
    for (int i = 0; i < kShown; ++i) text << out[static_cast<std::size_t>(i)] << " ";
    text << "...";
    for (int i = kNumbers - 3; i < kNumbers; ++i) text << " " << out[static_cast<std::size_t>(i)];
    return text.str();
}

}  // namespace

TEST_CASE("a kernel with a race: each order gives another result, but the same report") {
    std::set<std::vector<float>> answers;
    std::set<std::string> reports;
    std::vector<float> right(kNumbers);
    for (int i = 0; i < kNumbers; ++i)
        right[static_cast<std::size_t>(i)] = static_cast<float>((i + 1) % kNumbers);
    std::cout << "\n       racyRotate on 0 1 2 ... 63, in three orders of its threads:\n"
              << line("right", right) << "\n";
    for (const std::string schedule : {"forward", "reverse", "random:1"}) {
        const Answer answer = rotate(schedule);
        std::cout << line(schedule, answer.out) << "\n";
        answers.insert(answer.out);
        reports.insert(answer.report);
    }
    const bool racy = cusim::findings().size() == 1 && cusim::findings().front().kind == "race";
    if (racy)
        std::cout << "       one finding, the same each time: a race in\n       "
                  << cusim::findings().front().file << ":" << cusim::findings().front().line
                  << "\n";
    if (!racy || answers.size() != 3 || answers.count(right) || reports.size() != 1)
        lab::fail("demonstration-changed",
                  "racyRotateKernel must stay racy. It is a demonstration: restore it.");
}
