#include "simulator/findings/loops.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "simulator/findings/source_lines.h"
#include "simulator/findings/statements.h"
#include "text/joined.h"

namespace cusim {
namespace {

class Scan : Statements {
  public:
    using Statements::Statements;

    std::vector<Loop> loops() {
        std::vector<Loop> found;
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            const bool loop = is(i, "for") || is(i, "do") || (is(i, "while") && !endsDo_.count(i));
            if (!loop) continue;
            const std::size_t end = endOfStatement(i);
            found.push_back({tokens_[i].line, tokens_[std::max(end, i + 1) - 1].line});
        }
        return found;
    }

    bool inOneKernel(int upper, int lower) {
        for (std::size_t i = 0; i < tokens_.size() && tokens_[i].line <= upper; ++i) {
            if (!is(i, "__global__")) continue;
            while (i < tokens_.size() && !isAnyOf(i, {"{", ";"})) i = pass(i);
            const std::size_t end = endOfStatement(i);
            if (is(i, "{") && tokens_[i].line <= upper && tokens_[end - 1].line >= lower)
                return true;
        }
        return false;
    }

    // Returns what makes the variable of a for loop negative, such as "begins below 0", if the loop
    // begins on line `loop` and its variable is on `line`; otherwise nothing.
    std::string belowZero(int loop, int line) const {
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            if (tokens_[i].line != loop || !is(i, "for") || !is(i + 1, "(")) continue;
            const std::size_t end = skipBrackets(i + 1);
            std::size_t equals = i + 2, last = end;
            while (equals < end && !isAnyOf(equals, {"=", ";"})) ++equals;
            while (last > i && !is(last, ";")) --last;
            if (!is(equals, "=") || !dependsOn(tokens_[equals - 1].text, end, line)) continue;
            if (is(equals + 1, "-")) return "begins below 0";
            for (std::size_t k = last; k + 1 < end; ++k)
                if (is(k, "-") && isAnyOf(k + 1, {"-", "="}))
                    return isNeverBelowZero(equals, last)
                               ? words::joined("counts down, but ", tokens_[equals - 1].text,
                                               " is unsigned, so that ", tokens_[equals - 1].text,
                                               " >= 0 is always true: make it an int")
                               : "counts down";
        }
        return "";
    }

    // Tests whether a for loop declares its variable, which gets a value at `equals`, as unsigned,
    // and ends when it is below 0.
    bool isNeverBelowZero(std::size_t equals, std::size_t last) const {
        const std::string_view name = tokens_[equals - 1].text;
        if (!isAnyOf(equals - 2, {"unsigned", "size_t", "uint32_t", "uint64_t", "uint"}) &&
            !is(equals - 3, "unsigned"))
            return false;
        for (std::size_t k = equals; k + 3 < last + 1; ++k)
            if (is(k, name) && is(k + 1, ">") && is(k + 2, "=") && is(k + 3, "0")) return true;
        return false;
    }

    // Returns the condition of the for loop that begins on line `loop`, such as "k < Width", if its
    // variable is an index on `line`; else nothing.
    std::string conditionOfIndex(int loop, int line) const {
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            if (tokens_[i].line != loop || !is(i, "for") || !is(i + 1, "(")) continue;
            std::size_t begin = i, end = skipBrackets(i + 1);
            while (begin < end && !is(begin, ";")) ++begin;
            const std::size_t name = ++begin;
            while (begin < end && !is(begin, ";")) ++begin;
            if (begin >= end || !is(name + 1, "<")) continue;
            for (std::size_t k = end; k < tokens_.size() && tokens_[k].line <= line; ++k)
                if (tokens_[k].line == line && is(k, "[") && is(k + 2, "]") &&
                    tokens_[k + 1].text == tokens_[name].text)
                    return {tokens_[name].text.data(), tokens_[begin].text.data()};
        }
        return "";
    }

    // Returns the last line up to this one in its function that declares a char or a short, or 0.
    int narrowVariable(int line) const {
        int found = 0;
        for (std::size_t i = 0; i < tokens_.size() && tokens_[i].line <= line; ++i) {
            // A function's end begins its line.
            if (is(i, "}") && tokens_[i].line < line && tokens_[i].text.data()[-1] == '\n')
                found = 0;
            const bool narrow =
                isAnyOf(i, {"char", "short", "int8_t", "uint8_t", "int16_t", "uint16_t"});
            if (narrow && isWord(i + 1) && isAnyOf(i + 2, {"=", ";", ",", ")"}))
                found = tokens_[i].line;
        }
        return found;
    }

  private:
    // Tests whether a line names a variable, or one that is set by it from the token `first` on.
    bool dependsOn(std::string_view name, std::size_t first, int line) const {
        std::set<std::string_view> names{name};
        for (std::size_t i = first; i < tokens_.size() && tokens_[i].line <= line; ++i) {
            if (!names.count(tokens_[i].text)) continue;
            if (tokens_[i].line == line) return true;
            std::size_t set = i;
            while (set > first && !isAnyOf(set, {"=", ";", "{", "}"})) --set;
            if (is(set, "=") && isWord(set - 1)) names.insert(tokens_[set - 1].text);
        }
        return false;
    }
};

class SharedUses : FunctionStatements {
  public:
    using FunctionStatements::FunctionStatements;

    // Tests whether these lines of a kernel store to no array, and load only from arrays of its
    // parameters. The effects of called functions are not known.
    bool areNone(const Loop& lines) const {
        if (end_ == 0) return false;
        const std::size_t header = openingOf(first_ - 1);
        for (std::size_t i = first_; i < end_; ++i) {
            if (tokens_[i].line < lines.first || tokens_[i].line > lines.last) continue;
            const bool isSet = is(i + 1, "=") && !is(i + 2, "=");
            const bool isChanged = isAnyOf(i + 1, {"+", "-", "*", "/", "%", "&", "|", "^"}) &&
                                   (is(i + 2, "=") || is(i + 2, textAt(i + 1)));
            if (is(i, "]") && (isSet || isChanged)) return false;
            if (is(i, "*") && isAnyOf(i - 1, {";", "{", "}", ")"})) return false;
            if (!isWord(i)) continue;
            if (is(i + 1, "(") && !isAnyOf(i, {"for", "while", "if", "__syncthreads", "fabsf",
                                               "abs", "fabs", "min", "max", "sqrtf"}))
                return false;
            bool isParameter = !is(i + 1, "[");
            for (std::size_t k = header; k < first_; ++k) isParameter |= is(k, textAt(i));
            if (!isParameter) return false;
        }
        return true;
    }
};

}  // namespace

std::vector<Loop> loopsOf(std::string_view text) { return Scan(text).loops(); }

std::vector<Loop> loopsAround(const std::string& file, const std::vector<int>& lines) {
    std::vector<Loop> around;
    for (const Loop& loop : loopsOf(sourceText(file)))
        if (std::all_of(lines.begin(), lines.end(),
                        [&](int line) { return line >= loop.first && line <= loop.last; }))
            around.push_back(loop);
    return around;
}

bool mayComeBack(const std::string& file, int upper, int lower) {
    return !loopsAround(file, {upper, lower}).empty() ||
           !Scan(sourceText(file)).inOneKernel(upper, lower);
}

std::string ifBelowZero(const std::string& file, int line, int& at) {
    const std::string text = sourceText(file);
    const Scan scan(text);
    for (const Loop& loop : loopsAround(file, {line})) {
        const std::string how = scan.belowZero(loop.first, line);
        if (how.empty()) continue;
        at = loop.first;
        return words::joined("The loop of line ", loop.first, " ", how, ".");
    }
    return "";
}

bool usesNoShared(const std::string& file, const Loop& loop) {
    const std::string text = sourceText(file);
    return SharedUses(text, loop.first).areNone(loop);
}

namespace {

// Tests whether a condition such as "k < SIZE" ends the loop before this index, if its bound is a
// number or a macro for one.
bool endsBefore(const std::string& condition, const std::string& text, long long index) {
    std::string bound = condition.substr(condition.find('<') + 1);
    bound.erase(0, bound.find_first_not_of(' '));
    const std::string define = "#define " + bound + " ";
    if (const std::size_t at = text.find(define); at != std::string::npos)
        bound = text.substr(at + define.size(), 10);
    const long long number = std::atoll(bound.c_str());
    return number > 0 && number <= index;
}

}  // namespace

std::string ifIndexOfLoop(const std::string& file, int line, long long index) {
    const std::string text = sourceText(file);
    const Scan scan(text);
    std::string found;
    for (const Loop& loop : loopsAround(file, {line}))
        if (const std::string condition = scan.conditionOfIndex(loop.first, line);
            !condition.empty() && !endsBefore(condition, text, index))
            found =
                words::joined(" Check where the loop of line ", loop.first, " ends: ", condition,
                              ". If that is right, the array is too small: see its size.");
    return found;
}

std::string ifNarrow(const std::string& file, int line, int& at) {
    const std::string text = sourceText(file);
    const int found = Scan(text).narrowVariable(line);
    if (found == 0) return "";
    at = found;
    return words::joined(" The variable of line ", found,
                         " has a small type: a char ends at 127, a short at 32,767.");
}

}  // namespace cusim
