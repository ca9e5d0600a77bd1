// A finding: one error in a kernel or its host code, in the same form for each observer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "simulator/include/cusim/vector_types.h"
#include "simulator/include/cusim/where.h"
#include "text/joined.h"

namespace cusim {

using words::counted;
using words::joined;

struct Place {
    std::string file;
    int line = 0;

    Place() = default;
    Place(std::string inFile, int inLine) : file(std::move(inFile)), line(inLine) {}
    Place(const Where& at) : Place(at.file, at.line) {}
};

// Identifies the steps of a finding in a recording: the element, and the threads that access it.
struct FindingSteps {
    bool shared = false;
    std::uint32_t array = 0;   // shared array or allocation
    std::uint64_t offset = 0;  // in bytes
    std::uint32_t block = 0, otherBlock = 0, thread = 0, otherThread = 0;
};

struct Finding {
    Finding() = default;
    Finding(std::string kindKey, std::string whatHappened, const Place& at,
            std::string whatToDo = "", std::vector<std::string> moreToSay = {})
        : kind(std::move(kindKey)),
          title(std::move(whatHappened)),
          file(at.file),
          line(at.line),
          details(std::move(moreToSay)),
          remedy(std::move(whatToDo)) {}

    std::string kind;   // stable key for graders, such as "out-of-bounds"
    std::string title;  // what happened, in one line
    std::string file;   // of the student's line; empty if there is none
    int line = 0;
    std::string kernel;  // empty for findings of host code
    bool inThread = false;
    uint3 thread{}, block{};
    std::vector<std::string> details;
    std::string remedy;
    bool remark = false;           // formally wrong, and harmless on cards
    unsigned long long count = 1;  // how often, for findings that are added up
    // The text of the line, if it was read with the finding; otherwise text() reads it.
    std::optional<std::string> source = {};
    // The access, as in "reads M", by the name of the kernel's parameter or shared array, if that
    // is known and no missing guard explains it.
    std::string access = {};
    // The line of the same file that gives an index a wrong value, if that is known; or 0.
    int causedAt = 0;
    // Further lines that the details name, in their order, such as the other side of a race.
    std::vector<Place> others = {};
    std::optional<FindingSteps> steps = {};
};

// "kernel.cu:14"; a path from the root is reported from the current folder if the file lies below
// it.
std::string text(const Place& place);
// "kernel.cu:14: title", the source line, thread and block, details and remedy; ends in a newline.
std::string text(const Finding& finding);
// The same with the escape sequences that colour it on a terminal.
std::string colouredText(const Finding& finding);

// The same as one JSON object on one line: kind, title, file, line, count, details, remedy, and if
// they apply kernel, thread and block.
std::string json(const Finding& finding);

}  // namespace cusim
