// What is known of one thing that is wrong, beside the sentences that tell it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace testing {

struct Place {
    std::string file;
    int line = 0;
};

struct Finding {
    std::string kind;                // stable key, such as "out-of-bounds"
    Place at = {};                   // the student's line; no file where there is none
    std::vector<Place> others = {};  // further lines, such as the other side of a race
    std::string failedCall = {};     // of an early exit: the function that had failed before
    std::string kernel = {};
    std::optional<std::array<unsigned, 3>> thread = {}, block = {};
    std::vector<std::string> details = {};
    std::string remedy = {};
};

// What has ended a run of student code, and with it a test.
struct EndOfRun {
    std::string run;   // which one, such as "TODO(1), M 1 x 33, N 33 x 1"
    std::string text;  // its findings, or how it ended, for people; empty where no run has ended
};

inline std::string told(const EndOfRun& end) {
    return end.run + ": the run ends with\n" + end.text;
}

}  // namespace testing
