#include "testing/failure.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <sstream>

#include "testing/blame.h"
#include "testing/paragraphs.h"
#include "testing/section_to_read.h"
#include "testing/todo_of_line.h"

namespace testing {

namespace {

constexpr std::size_t kShortColumns = 74;

// Two findings of the simulated device, nearly; the second is often a consequence of the first.
constexpr std::size_t kMostLines = 18;

constexpr std::size_t kMostPrinted = 4;

std::string fromEnvironment(const char* name) {
    const char* const value = std::getenv(name);
    return value ? value : "";
}

// What a test is about: the TODO or question of its name, else the first TODO of its sentences.
std::string subjectOf(const Failure& failure) {
    for (const std::string& text : {failure.test, failure.explanation})
        if (const auto todos = todosIn(text); !todos.empty()) return todos.front();
    const std::size_t colon = failure.test.find(": ");
    const bool question = colon > 1 && colon != std::string::npos && failure.test[0] == 'Q' &&
                          failure.test.find_first_not_of("0123456789", 1) == colon;
    return question ? failure.test.substr(0, colon) : "";
}

std::string beginningOf(const Failure& failure) {
    return failure.begin.empty() ? subjectOf(failure) : failure.begin;
}

// "where: lab1_naive/kernel.cu:22, at TODO(1)"; empty where the file shows that TODO no more, or
// the explanation names a line that may well be the one, or a question waits for another file.
std::string whereToLook(const Failure& failure) {
    const std::string file = fromEnvironment("LAB_KERNEL"), subject = beginningOf(failure);
    const auto& kinds = failure.findings;
    if (std::find(kinds.begin(), kinds.end(), "kernel-first") != kinds.end()) return "";
    if (subject.empty() || (!waitsForAnother(failure) && lineNamed(failure.explanation) > 0))
        return "";
    const int line = lineOf(subject, file);
    return line == 0 ? ""
                     : "where: " + file + ":" + std::to_string(line) + ", at " + subject + "\n";
}

// The explanation, beginning with the TODO to begin with where that is another one than the test's.
std::string toldRightly(const Failure& failure) {
    const std::string& text = failure.explanation;
    const std::string ends = ": the run ends with\n";
    const std::size_t end = text.find(ends);
    // Not "TODO(1), M 1 x 33, N 33 x 1: the run ends with".
    if (ofNoTodo(failure) && text.rfind("TODO(", 0) == 0 && end < text.find('\n'))
        return "The run ends with\n" + text.substr(end + ends.size());
    if (!waitsForAnother(failure)) return text;
    const std::string waits = "This test waits for " + failure.begin + ": begin there.\n";
    if (end == std::string::npos) {
        const auto named = todosIn(text);
        const bool said = std::find(named.begin(), named.end(), failure.begin) != named.end();
        return said ? text : waits + text;
    }
    // Not "TODO(5): the run ends with", which sends readers to the wrong step.
    const std::size_t newline = text.rfind('\n', end);
    const std::size_t start = newline == std::string::npos ? 0 : newline + 1;
    return text.substr(0, start) +
           (failure.beginsAtLine
                ? "The run ends at line " + std::to_string(lineNamed(failure.explanation)) +
                      ", which belongs to " + failure.begin + ": begin there.\n"
                : waits + "The run ends with\n") +
           text.substr(end + ends.size());
}

// "see TODO(7)", "race, line 43", "never written"; empty where there is nothing to say.
std::string inAWord(const Failure& failure) {
    const int line = lineNamed(failure.explanation);
    std::string others;
    for (const std::string& todo : todosIn(failure.explanation))
        if (failure.test.find(todo) == std::string::npos)
            others += (others.empty() ? "see " : ", ") + todo;
    if (waitsForAnother(failure)) others = "see " + failure.begin;
    // Where the device has found something, the TODO is only the step that was judged.
    if (!others.empty() && (line == 0 || waitsForAnother(failure)))
        return others + (line == 0 ? "" : ", line " + std::to_string(line));
    if (failure.findings.empty()) return "";
    std::string word = failure.findings.front();
    std::replace(word.begin(), word.end(), '-', ' ');
    return word + (line == 0 ? "" : ", line " + std::to_string(line));
}

// At most so many lines of it.
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
    std::vector<std::string> keys{beginningOf(failure)};
    // What a finding is about is known better where the TODO to begin with is.
    if (failure.begin.empty())
        keys.insert(keys.end(), failure.findings.begin(), failure.findings.end());
    keys.emplace_back("*");
    const std::string section = sectionToRead(keys);
    const std::string printed =
        failure.printed.empty()
            ? ""
            : "It printed:\n" + firstLines(failure.printed, std::min(mostLines, kMostPrinted));
    return below(firstLines(toldRightly(failure), mostLines)) + below(printed) +
           below(whereToLook(failure)) + below(section.empty() ? "" : "read: " + section + "\n");
}

}  // namespace

bool waitsForAnother(const Failure& failure) {
    const auto own = todosOfName(failure.test);
    return !failure.begin.empty() && std::find(own.begin(), own.end(), failure.begin) == own.end();
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
