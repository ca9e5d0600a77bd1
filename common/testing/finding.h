// The facts of one thing that is wrong, beside the sentences that tell it.
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
    Place at = {};                   // the student's line; an empty file if unknown
    std::vector<Place> others = {};  // further lines, such as the other side of a race
    std::string failedCall = {};     // the function that had failed before an early exit
    std::string kernel = {};
    std::optional<std::array<unsigned, 3>> thread = {}, block = {};
    std::vector<std::string> details = {};
    std::string remedy = {};
};

// The end of a run of student code that also ends a test.
struct EndOfRun {
    std::string run;   // the run, such as "TODO(1), M 1 x 33, N 33 x 1"
    std::string text;  // its findings or its end, for people; empty if no run has ended the test
};

inline std::string told(const EndOfRun& end) {
    return end.run + ": the run ends with\n" + end.text;
}

}  // namespace testing
