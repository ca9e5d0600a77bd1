#include "testing/failure.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <sstream>

#include "testing/blame.h"
#include "testing/environment.h"
#include "testing/lab.h"
#include "testing/paragraphs.h"
#include "testing/section_to_read.h"
#include "testing/todo_of_line.h"

namespace testing {

namespace {

constexpr std::size_t kShortColumns = 74;

// Leaves room for nearly two findings; the second is often a consequence of the first.
constexpr std::size_t kMostLines = 18;

constexpr std::size_t kMostPrinted = 20;  // lines

bool holds(const std::vector<std::string>& todos, const std::string& todo) {
    return std::find(todos.begin(), todos.end(), todo) != todos.end();
}

// Returns the TODO or question of the test's name, else the first TODO of its sentences; nothing if
// none is to blame.
std::string subjectOf(const Failure& failure) {
    if (failure.ofNoStep) return "";
    if (isUnknown(failure) && todosOfName(failure.test).empty()) return "";
    for (const auto& todos : {todosOfName(failure.test), failure.named, failure.end.run.todos})
        if (!todos.empty()) return todos.front();
    const std::size_t colon = failure.test.find(": ");
    const bool question = colon > 1 && colon != std::string::npos && failure.test[0] == 'Q' &&
                          failure.test.find_first_not_of("0123456789", 1) == colon;
    return question ? failure.test.substr(0, colon) : "";
}

// Returns the answer "Q7_large" that the sentences name, if they are about that question; else the
// subject itself.
std::string answerOf(const Failure& failure, const std::string& subject) {
    const std::string& text = failure.explanation;
    const std::size_t begin = text.find(subject + "_");
    if (subject.front() != 'Q' || begin == std::string::npos) return subject;
    const auto inName = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
    const auto end =
        std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(begin), text.end(), inName);
    return {text.begin() + static_cast<std::ptrdiff_t>(begin), end};
}

// Tests whether a finding's line is likely to be the one to fix.
bool looksAtFinding(const Failure& failure) {
    return !waitsForAnother(failure) && lineNamed(failure) > 0;
}

// Returns "where: lab1_naive/kernel.cu:22, at TODO(1)", or nothing if a finding names the line.
std::string whereToLook(const Failure& failure) {
    const Place place = placeToLook(failure);
    if (place.line == 0 || looksAtFinding(failure)) return "";
    return "where: " + place.file + ":" + std::to_string(place.line) + ", at " +
           beginningOf(failure) + "\n";
}

// Returns the explanation, headed by the TODO to begin with if that is not the test's own.
std::string headedByTodo(const Failure& failure) {
    const std::string& text = failure.explanation;
    const std::string waits = "This test waits for " + failure.begin + ": begin there.\n";
    const EndOfRun& end = failure.end;
    if (end.text.empty())
        return !waitsForAnother(failure) || holds(failure.named, failure.begin) ? text
                                                                                : waits + text;
    // "TODO(1), M 1 x 33, N 33 x 1: the run ends with" would name a TODO that is not to blame.
    const bool ofNone = (ofNoTodo(failure) && text.empty()) || isUnknown(failure) ||
                        (failure.ofNoStep && failure.begin.empty());
    if (ofNone && !end.run.todos.empty()) return text + "The run ends with\n" + end.text;
    if (!waitsForAnother(failure)) return text + told(end);
    // "TODO(5): the run ends with" would send readers to the wrong step.
    return text +
           (failure.beginsAtLine && failure.findings.front().causedAt == 0 &&
                    failure.findings.front().kind != "unset-read"
                ? "The run ends at line " + std::to_string(lineNamed(failure)) +
                      ", which belongs to " + failure.begin + ": begin there.\n"
                : waits + "The run ends with\n") +
           end.text;
}

// Returns words such as "see TODO(7)", "race, line 43" or "never written"; may be empty.
std::string inAWord(const Failure& failure) {
    const int line = lineNamed(failure);
    std::string others;
    std::vector<std::string> told = todosOfName(failure.test);
    for (const auto& todos : {failure.named, failure.end.run.todos})
        for (const std::string& todo : todos) {
            if (holds(told, todo)) continue;
            others += (others.empty() ? "see " : ", ") + todo;
            told.push_back(todo);
        }
    if (waitsForAnother(failure)) others = "see " + failure.begin;
    // A finding explains more than the TODO, which is only the step that was tested.
    if (!others.empty() && (line == 0 || waitsForAnother(failure)))
        return others + (line == 0 ? "" : ", line " + std::to_string(line));
    if (failure.findings.empty()) return "";
    std::string word = failure.findings.front().kind;
    std::replace(word.begin(), word.end(), '-', ' ');
    return word + (line == 0 ? "" : ", line " + std::to_string(line));
}

// Returns at most this many lines, and a sentence if there are more.
std::string firstLines(const std::string& text, std::size_t most) {
    std::string kept, line;
    std::istringstream in(text);
    for (std::size_t n = 0; std::getline(in, line); ++n) {
        if (n == most) return kept + "... and more: EXPLAIN=all shows it.\n";
        kept += line + "\n";
    }
    while (kept.size() > 1 && kept[kept.size() - 2] == '\n') kept.pop_back();
    return kept;
}

std::string explained(const Failure& failure, std::size_t mostLines) {
    const std::string todo = isUnknown(failure) ? "" : beginningOf(failure);
    std::vector<std::string> keys{todo};
    // A known TODO is a better guide to the handout than a finding's kind.
    if (failure.begin.empty())
        for (const Finding& finding : failure.findings) keys.push_back(finding.kind);
    keys.emplace_back("*");
    std::string section = sectionToRead(keys);
    // The step of another TODO than the one that `make hint` helps with would mislead.
    const std::string own = sectionToRead({beginningOf(failure)});
    if (!own.empty() && !todoOfSection(section).empty()) section = own;
    return below(firstLines(headedByTodo(failure), mostLines)) + printedBelow(failure) +
           below(whereToLook(failure)) + below(section.empty() ? "" : "read: " + section + "\n");
}

}  // namespace

bool waitsForAnother(const Failure& failure) {
    return !failure.begin.empty() && !holds(todosOfName(failure.test), failure.begin);
}

std::string beginningOf(const Failure& failure) {
    return failure.begin.empty() ? subjectOf(failure) : failure.begin;
}

Place placeToLook(const Failure& failure) {
    const std::string file = fromEnvironment("LAB_KERNEL"), subject = beginningOf(failure);
    if (looksAtFinding(failure)) return {file, lineNamed(failure)};
    const auto& all = failure.findings;
    // A question that waits for the kernel has its comment in another file.
    const bool kernelFirst = std::any_of(
        all.begin(), all.end(), [](const Finding& one) { return one.kind == "kernel-first"; });
    const int line = kernelFirst || subject.empty() ? 0 : lineOf(answerOf(failure, subject), file);
    return line == 0 ? Place{} : Place{file, line};
}

std::string printedBelow(const Failure& failure) {
    if (failure.printed.empty()) return "";
    std::string shown = "It printed:\n", line;
    std::size_t lines = 0;
    for (std::istringstream in(failure.printed); std::getline(in, line); ++lines)
        if (lines < kMostPrinted) shown += line + "\n";
    if (lines > kMostPrinted)
        shown += "... and " + lab::count(lines - kMostPrinted, "more line") + "\n";
    return below(shown);
}

std::string inFull(const Failure& failure) {
    return explained(failure, std::numeric_limits<std::size_t>::max());
}

std::string onAScreen(const Failure& failure) { return explained(failure, kMostLines); }

std::string inShort(const Failure& failure) {
    const std::string word = inAWord(failure);
    if (word.empty()) return failure.test;
    const std::size_t room = kShortColumns - word.size() - 3;
    std::string name = failure.test;
    if (name.size() > room) {
        const std::size_t end = name.rfind(' ', room - 3);
        name = name.substr(0, end == std::string::npos ? room - 3 : end) + " ..";
    }
    return name + " [" + word + "]";
}

}  // namespace testing
