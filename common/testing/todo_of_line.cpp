#include "testing/todo_of_line.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <set>

namespace testing {

namespace {

// Returns the text of the comment on this line, "TODO(9): ..." for "// TODO(9): ...", or nothing.
std::string commentOn(const std::string& line) {
    const std::size_t comment = line.find("//");
    if (comment == std::string::npos) return "";
    const std::size_t text = line.find_first_not_of(" /", comment);
    return text == std::string::npos ? "" : line.substr(text);
}

// Returns the TODO whose comment begins on this line, or nothing.
std::string todoBeginningOn(const std::string& line) {
    const std::string comment = commentOn(line);
    const std::size_t end = comment.find(')');
    if (comment.rfind("TODO(", 0) != 0 || end == std::string::npos) return "";
    return comment.substr(0, end + 1);
}

// Tests for an answer's name, such as "Q3_loads"; a question's name is "Q3".
bool isName(const std::string& subject) { return subject.find('_') != std::string::npos; }

bool isInName(unsigned char c) { return std::isalnum(c); }

int numberOf(const std::string& todo) { return std::atoi(todo.c_str() + todo.find('(') + 1); }

// Follows braces through a file, outside of comments and quotes.
class Braces {
  public:
    // Tests whether an outermost pair of braces, such as that of a function, ends on this line.
    bool endOn(const std::string& line) {
        bool ended = false;
        char quote = 0;
        for (std::size_t i = 0; i < line.size(); ++i) {
            const char c = line[i], next = i + 1 < line.size() ? line[i + 1] : '\0';
            if (inComment_) {
                if (c == '*' && next == '/') inComment_ = false, ++i;
            } else if (quote) {
                if (c == '\\') ++i;
                if (c == quote) quote = 0;
            } else if (c == '/' && next == '/') {
                break;
            } else if (c == '/' && next == '*') {
                inComment_ = true, ++i;
            } else if (c == '"' || (c == '\'' && !digitBefore(line, i))) {
                quote = c;
            } else if (c == '{') {
                ++depth_;
            } else if (c == '}' && depth_ > 0 && --depth_ == 0) {
                ended = true;
            }
        }
        return ended;
    }

  private:
    // Tests for a quote that separates digits, as in 1'000.
    static bool digitBefore(const std::string& line, std::size_t i) {
        return i > 0 && std::isalnum(static_cast<unsigned char>(line[i - 1]));
    }

    int depth_ = 0;
    bool inComment_ = false;
};

}  // namespace

std::string todoOfLine(const std::string& file, int line, const std::vector<std::string>& all) {
    std::ifstream in(file);
    std::set<std::string> kept;
    std::string above, below, text;
    Braces braces;
    for (int number = 1; std::getline(in, text); ++number) {
        const std::string todo = todoBeginningOn(text);
        if (!todo.empty()) {
            kept.insert(todo);
            if (number <= line)
                above = todo;
            else if (below.empty())
                below = todo;
        }
        if (braces.endOn(text) && number < line) above.clear();
    }
    if (above.empty()) return "";
    // Without its comment, a TODO's lines would count as those of the TODO above.
    const int first = numberOf(above);
    const int last = below.empty() ? std::numeric_limits<int>::max() : numberOf(below);
    for (const std::string& todo : all)
        if (numberOf(todo) > first && numberOf(todo) < last && !kept.count(todo)) return "";
    return above;
}

std::string firstWithoutCode(const std::string& file, const std::string& from) {
    std::ifstream in(file);
    std::string todo, text;
    Braces braces;
    for (bool reached = false; std::getline(in, text);) {
        const std::string next = todoBeginningOn(text);
        const std::string code = text.substr(0, text.find("//"));
        reached |= next == from;
        if (!next.empty() && !todo.empty()) return todo;
        if (!next.empty() && reached) todo = next;
        // The head of a given loop or if around the next TODO is not this one's code.
        const std::size_t last = code.find_last_not_of(' ');
        const bool isHead = last != std::string::npos && code[last] == '{';
        if (!isHead && std::any_of(code.begin(), code.end(), isInName)) todo.clear();
        if (braces.endOn(text) && reached) return todo;
    }
    return "";
}

int lineOf(const std::string& subject, const std::string& file) {
    const bool todo = subject.rfind("TODO(", 0) == 0;
    const std::string mark = todo ? subject : " " + subject + (isName(subject) ? " " : "_");
    std::ifstream in(file);
    std::string text;
    for (int number = 1; std::getline(in, text); ++number)
        if (todo ? commentOn(text).rfind(mark, 0) == 0
                 : text.substr(0, text.find("//")).find(mark) != std::string::npos)
            return number;
    return 0;
}

}  // namespace testing
