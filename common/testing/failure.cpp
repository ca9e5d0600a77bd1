#include "testing/failure.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>

#include "testing/paragraphs.h"
#include "testing/section_to_read.h"

namespace testing {

namespace {

constexpr std::size_t kShortColumns = 74;

// Two findings of the simulated device, nearly; the second is often a consequence of the first.
constexpr std::size_t kMostLines = 18;

std::string fromEnvironment(const char* name) {
    const char* const value = std::getenv(name);
    return value ? value : "";
}

// The TODOs that a text names, each once, in the order of the text.
std::vector<std::string> todosIn(const std::string& text) {
    std::vector<std::string> todos;
    for (std::size_t at = text.find("TODO("); at != std::string::npos;
         at = text.find("TODO(", at + 1)) {
        const std::string todo = text.substr(at, text.find(')', at) - at + 1);
        if (std::find(todos.begin(), todos.end(), todo) == todos.end()) todos.push_back(todo);
    }
    return todos;
}

// The TODO that a test is about: that of its name, else the first that its sentences name.
std::string todoOf(const Failure& failure) {
    for (const std::string& text : {failure.test, failure.explanation})
        if (const auto todos = todosIn(text); !todos.empty()) return todos.front();
    return "";
}

// The first line of the file under test that the explanation names; empty where it names none.
std::string lineNamed(const std::string& explanation, const std::string& file) {
    for (std::size_t at = explanation.find(file + ":"); !file.empty() && at != std::string::npos;
         at = explanation.find(file + ":", at + 1)) {
        std::size_t end = at += file.size() + 1;
        while (end < explanation.size() &&
               std::isdigit(static_cast<unsigned char>(explanation[end])))
            ++end;
        if (end > at) return explanation.substr(at, end - at);
    }
    return "";
}

// "where: lab1_naive/kernel.cu:22, at TODO(1)"; empty where the file shows that TODO no more, or
// the explanation names a line itself.
std::string whereToLook(const Failure& failure) {
    const std::string file = fromEnvironment("LAB_KERNEL"), todo = todoOf(failure);
    if (todo.empty() || !lineNamed(failure.explanation, file).empty()) return "";
    std::ifstream in(file);
    std::string line;
    for (int number = 1; std::getline(in, line); ++number)
        if (line.find(todo) != std::string::npos)
            return "where: " + file + ":" + std::to_string(number) + ", at " + todo + "\n";
    return "";
}

// "see TODO(7)", "race, line 43", "never written"; empty where there is nothing to say.
std::string inAWord(const Failure& failure) {
    const std::string line = lineNamed(failure.explanation, fromEnvironment("LAB_KERNEL"));
    std::string others;
    for (const std::string& todo : todosIn(failure.explanation))
        if (failure.test.find(todo) == std::string::npos)
            others += (others.empty() ? "see " : ", ") + todo;
    // Where the device has found something, the TODO is only the step that was judged.
    if (!others.empty() && line.empty()) return others;
    if (failure.findings.empty()) return "";
    std::string word = failure.findings.front();
    std::replace(word.begin(), word.end(), '-', ' ');
    return word + (line.empty() ? "" : ", line " + line);
}

// At most so many lines of it.
std::string beginningOf(const std::string& text, std::size_t most) {
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
    const std::string section =
        sectionToRead(fromEnvironment("LAB_PART"), todoOf(failure), failure.findings);
    return below(beginningOf(failure.explanation, mostLines)) + below(whereToLook(failure)) +
           below(section.empty() ? "" : "read: " + section + "\n");
}

}  // namespace

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
