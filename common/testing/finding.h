// The facts about one error, and the texts that report it.
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
    std::string access = {};  // as in "reads M"; empty if the device does not know, or has doubts
    int causedAt = 0;         // the line that gives an index a wrong value; 0 if unknown
    std::string title = {};   // what is wrong; empty if a test's own sentences say it
};

// A step of an exercise.
struct Todo {
    explicit Todo(int number) : name("TODO(" + std::to_string(number) + ")") {}
    std::string name;  // as in the student's file and the tests' names
};

// A text for people, and the TODOs that it names, in its order.
struct Text {
    Text(const char* text = "") : words(text) {}
    Text(std::string text) : words(std::move(text)) {}
    Text(const Todo& todo) : words(todo.name), todos{todo.name} {}
    operator const std::string&() const { return words; }
    std::string words;
    std::vector<std::string> todos = {};
};

// The end of a run of student code that also ends a test.
struct EndOfRun {
    Text run;          // the run, such as "TODO(1), M 1 x 33, N 33 x 1"
    std::string text;  // its findings or its end, for people; empty if no run has ended the test
};

inline std::string told(const EndOfRun& end) {
    return end.run.words + ": the run ends with\n" + end.text;
}

}  // namespace testing
