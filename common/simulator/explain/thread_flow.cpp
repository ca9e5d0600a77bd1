#include "simulator/explain/thread_flow.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "simulator/findings/source_lines.h"
#include "simulator/findings/statements.h"
#include "text/joined.h"

namespace cusim {
namespace {

using words::joined;

// The operands of an expression.
struct MadeOf {
    using Directions = std::array<bool, 3>;  // x, y and z
    Directions thread{}, block{};
    bool loaded = false;   // from an array
    bool unknown = false;  // a call's result, or a parameter of a function that is no kernel
    std::set<std::string_view> names = {};
};
using By = MadeOf::Directions MadeOf::*;
bool any(const MadeOf::Directions& all) { return all[0] || all[1] || all[2]; }

class Function : public FunctionStatements {
  public:
    Function(std::string_view text, int line) : FunctionStatements(text, line) {
        std::size_t i = first_;
        while (i > 0 && !isAnyOf(i, {";", "}", "__global__"})) --i;
        isKernel_ = is(i, "__global__");
    }

    std::vector<Branch> branches(const std::vector<int>& lines, By by) {
        std::vector<Branch> all;
        for (std::size_t i = first_; i < end_; ++i) {
            if (!isAnyOf(i, {"if", "switch", "for", "while"}) || !is(i + 1, "(")) continue;
            if (!isAround(i, lines)) continue;
            const std::size_t then = skipBrackets(i + 1);
            MadeOf condition;
            look(i + 2, then - 1, condition);
            // A bound such as Row < j is about the block's threads, not about the block.
            const bool isBound = any(condition.thread) && !selects(i + 2, then - 1);
            if (any(condition.*by) && (by == &MadeOf::thread || !isBound))
                all.push_back({tokens_[i].line, tokens_[endOfStatement(i) - 1].line,
                               isAnyOf(i, {"for", "while"}), isUpToWarp(i + 2, then),
                               is(endOfStatement(then), "else"), textOf(i, then)});
        }
        return all;
    }

    StoredByMany stored(int line, std::string_view variable, const dim3& extents, By by) {
        StoredByMany found;
        for (std::size_t i = first_; i < end_ && tokens_[i].line <= line; ++i) {
            const std::size_t begin = tokens_[i].line == line ? beginOfStored(i, variable) : end_;
            if (begin == end_) continue;
            MadeOf place;
            if (tokens_[begin].text != variable) look(begin, i + 1, place);
            guards(line, place);
            addMissing(place, extents, by, found);
            if (place.unknown || (found.missing.empty() && !place.loaded)) return {};
            found.adds = addsTo(begin, i, line);
            const char* const text = tokens_[begin].text.data();
            found.text.assign(text, tokens_[i].text.data() + tokens_[i].text.size());
        }
        return found;
    }

    Jump jumpOver(int line) {
        Jump found;
        for (std::size_t i = first_; i < end_ && tokens_[i].line < line; ++i) {
            if (!isAnyOf(i, {"continue", "break", "return"})) continue;
            const int here = tokens_[i].line;
            const bool inLoop = !loopsOf(here, line).empty();
            if ((inLoop || is(i, "return")) && !branches({here}, &MadeOf::thread).empty())
                found = {std::string(tokens_[i].text), here};
        }
        return found;
    }

    bool onlyChanges(int line, std::string_view array, bool byAtomic) const {
        bool here = byAtomic;
        for (std::size_t i = first_; i < end_; ++i) {
            const std::size_t begin = beginOfStored(i, array);
            if (begin == end_ || tokens_[is(begin, "*") ? begin + 1 : begin].text != array)
                continue;
            if (is(i + 1, "=")) return false;
            here |= tokens_[i].line == line;
        }
        return here;
    }

    int storedBySome(std::string_view array, By by) {
        int found = 0;
        for (std::size_t i = first_; i < end_; ++i) {
            const std::size_t begin = beginOfStored(i, array);
            if (begin == end_ || tokens_[begin].text != array) continue;
            if (!is(i + 1, "=") && found > 0) continue;  // changes what it holds
            const auto around = branches({tokens_[i].line}, by);
            const auto only = std::find_if(around.begin(), around.end(), [](const Branch& one) {
                return !one.isLoop && !one.hasElse;
            });
            if (only == around.end()) return 0;
            found = only->line;
        }
        return found;
    }

    std::vector<std::string> inBracketsByBlock(int line) const {
        std::vector<std::string> all;
        for (std::size_t i = first_; i < end_; ++i) {
            if (tokens_[i].line != line || !is(i, "[")) continue;
            MadeOf index;
            if (is(i + 2, "]")) look(i + 1, i + 2, index);
            if (any(index.block) && any(index.thread)) all.emplace_back(tokens_[i + 1].text);
        }
        return all;
    }

    std::vector<Comparison> letIn(int line, std::string_view limit) {
        std::vector<Comparison> all;
        for (std::size_t i = first_; i < end_ && tokens_[i].line <= line; ++i) {
            if (!is(i, "if") || !is(i + 1, "(")) continue;
            const std::size_t then = skipBrackets(i + 1);
            const bool leaves = isLeftAt(then);
            for (std::size_t k = i + 2; k < then; ++k) {
                const bool equal = is(k + 2, "=");
                const std::size_t other = k + 2 + (equal ? 1 : 0);
                if (isWord(k) && is(k + 1, leaves ? ">" : "<") && equal != leaves &&
                    textAt(other) == limit && isAnyOf(other + 1, {")", "&", "|"}) &&
                    (leaves || isAround(i, {line})))
                    all.push_back({tokens_[i].line, std::string(tokens_[k].text),
                                   leaves ? ">" : "<=", leaves ? ">=" : "<"});
            }
        }
        return all;
    }

    std::vector<Comparison> heldDown(int line) {
        MadeOf used;
        for (std::size_t i = first_; i < end_; ++i)
            if (tokens_[i].line == line && is(i, "[")) look(i + 1, skipBrackets(i) - 1, used);
        std::vector<Comparison> all;
        for (std::size_t i = first_; i < end_ && tokens_[i].line < line; ++i) {
            if (!isWord(i) || !is(i + 1, "=") || !is(i + 2, "min") || !is(i + 3, "(")) continue;
            MadeOf value;
            look(i + 4, skipBrackets(i + 3) - 1, value);
            if (any(value.thread) && used.names.count(tokens_[i].text) > 0)
                all.push_back({tokens_[i].line, std::string(tokens_[i].text)});
        }
        return all;
    }

    std::string lengthOfOpenRow(std::string_view column) const {
        std::string length;
        MadeOf of;
        for (std::size_t i = first_ + 3; i < end_; ++i) {
            if (tokens_[i].text != column) continue;
            look(i, i + 1, of);
            const bool sets = is(i + 1, "=") && !is(i + 2, "=");
            if (is(i - 1, "+") && isWord(i - 2) && is(i - 3, "*"))
                length = tokens_[i - 2].text;
            else if (!sets && !isAnyOf(i - 1, {"+", "[", "*"}))
                return "";  // for example a comparison, or an argument
        }
        const bool counts = of.thread[0] && of.block[0] && !of.thread[1] && !of.unknown;
        return counts ? length : "";
    }

    Comparison testsOther(int line) {
        MadeOf used;
        for (std::size_t i = first_; i < end_; ++i)
            if (tokens_[i].line == line && is(i, "["))
                look(i - 1, skipBrackets(i) - 1, used);
            else if (tokens_[i].line == line && is(i, "*") && !isWord(i - 1) && isWord(i + 1))
                look(i + 1, i + 2, used);
        Comparison found;
        for (std::size_t i = first_; i < end_ && tokens_[i].line <= line; ++i) {
            if (!is(i, "if") || !is(i + 1, "(") || !isAround(i, {line})) continue;
            for (std::size_t k = i + 2; k < skipBrackets(i + 1) - 1; ++k) {
                MadeOf tested;
                look(k, k + 1, tested);
                if (isWord(k) && is(k + 1, "<") && !isAnyOf(k - 1, {".", "+", "*", "-"}) &&
                    any(tested.thread) && any(tested.block) && !tested.unknown &&
                    used.names.count(tokens_[k].text) == 0)
                    found = {tokens_[i].line, std::string(tokens_[k].text)};
            }
        }
        return found;
    }

  private:
    static std::ptrdiff_t at(std::size_t i) { return static_cast<std::ptrdiff_t>(i); }

    std::vector<Branch> loopsOf(int upper, int lower) {
        std::vector<Branch> all;
        for (std::size_t i = first_; i < end_; ++i) {
            if (!isAnyOf(i, {"for", "while", "do"})) continue;
            const int last = tokens_[endOfStatement(i) - 1].line;
            if (tokens_[i].line <= upper && last >= lower)
                all.push_back({tokens_[i].line, last, true});
        }
        return all;
    }

    std::size_t endOfExpression(std::size_t i) const {
        while (i < end_ && !isAnyOf(i, {";", ","}) && !closes(i)) i = pass(i);
        return i;
    }

    // Adds the operands of the conditions by which only some threads reach a line. An upper bound
    // leaves more than one thread.
    void guards(int line, MadeOf& sum) {
        for (std::size_t i = first_; i < end_ && tokens_[i].line <= line; ++i) {
            if (!isAnyOf(i, {"if", "switch", "while"}) || !is(i + 1, "(")) continue;
            const std::size_t then = skipBrackets(i + 1);
            const bool leaves = isLeftAt(then);
            if ((leaves || isAround(i, {line})) && selects(i + 2, then - 1))
                look(i + 2, then - 1, sum);
        }
    }
    bool selects(std::size_t first, std::size_t end) const {
        for (; first < end; ++first)
            if (isAnyOf(first, {"!", "%"}) || (is(first, "=") && !isAnyOf(first - 1, {"<", ">"})))
                return true;
        return false;
    }
    // Tests whether the statement assigns to the expression that ends at i, or counts it.
    bool isStored(std::size_t i) const {
        const bool assigns = is(i + 1, "=") && !is(i + 2, "=");
        const bool changes =
            isAnyOf(i + 1, {"+", "-", "*", "/", "%", "&", "|", "^"}) &&
            (is(i + 2, "=") || (isAnyOf(i + 1, {"+", "-"}) && is(i + 2, textAt(i + 1))));
        return assigns || changes;
    }

    // Returns the begin of a stored element that ends at i: M[i], *p, (*p) or the variable; else
    // the end.
    std::size_t beginOfStored(std::size_t i, std::string_view variable) const {
        std::size_t begin = i;
        while (is(begin, "]")) begin = openingOf(begin) - 1;
        const bool counted =
            begin > 1 && isAnyOf(begin - 1, {"+", "-"}) && is(begin - 2, textAt(begin - 1));
        if (begin != i) return isWord(begin) && (isStored(i) || counted) ? begin : end_;
        if (isWord(i) && tokens_[i].text == variable && (isStored(i) || counted)) return i;
        if (!isStored(i)) return end_;
        if (is(i, ")"))
            begin = openingOf(i) + 1;
        else if (isWord(i) && is(i - 1, "*") && isAnyOf(i - 2, {";", "{", "}", ")"}))
            begin = i - 1;
        return is(begin, "*") ? begin : end_;
    }

    // Returns the text of the tokens from `first` on if it is short and in one line.
    std::string textOf(std::size_t first, std::size_t end) const {
        const char* const begin = tokens_[first].text.data();
        const std::string_view last = tokens_[end - 1].text;
        const std::string text(begin, last.data() + last.size());
        return text.size() <= 50 && text.find('\n') == text.npos ? text : "";
    }

    // Tests for a condition such as tid < 32.
    bool isUpToWarp(std::size_t first, std::size_t end) const {
        for (; first < end; ++first)
            if (is(first, "<") && isAnyOf(first + 1, {"32", "warpSize"}) &&
                (first + 2 == end || isAnyOf(first + 2, {"&", ")"})))
                return true;
        return false;
    }

    // Adds the extents of the block or grid on which the place of a store does not depend.
    static void addMissing(const MadeOf& place, const dim3& extents, By by, StoredByMany& found) {
        const std::array<unsigned, 3> width{extents.x, extents.y, extents.z};
        found.missing.clear();
        found.isForAll = true;
        found.byThread = any(place.thread);
        for (std::size_t d = 0; d < 3; ++d) {
            if (width[d] < 2) continue;
            found.isForAll &= !(place.*by)[d];
            if (!(place.*by)[d])
                found.missing += joined(found.missing.empty() ? "" : " and ",
                                        by == &MadeOf::thread ? "threadIdx." : "blockIdx.",
                                        "xyz"[d], " (here 0 to ", width[d] - 1, ")");
        }
    }

    // Tests whether the value stored at [begin, i] depends on the previous value.
    bool addsTo(std::size_t begin, std::size_t i, int line) {
        MadeOf value;
        look(i + 1, endOfExpression(i + 1), value);
        for (std::size_t k = first_; k < i; ++k)
            if (is(k, "if") && isAround(k, {line})) look(k + 2, skipBrackets(k + 1) - 1, value);
        const std::string_view name = tokens_[is(begin, "*") ? begin + 1 : begin].text;
        return !is(i + 1, "=") || value.names.count(name) > 0;
    }

    // Adds the operands of the tokens from `first` on, through the variables that they name.
    void look(std::size_t first, std::size_t end, MadeOf& sum) const {
        for (std::size_t i = first; i < std::min(end, end_); ++i) {
            if (!isWord(i) || isAnyOf(i - 1, {".", "->"})) continue;
            const std::string_view name = tokens_[i].text;
            for (std::size_t d = 0; d < 3; ++d) {
                const bool here =
                    !is(i + 1, ".") || textAt(i + 2) == std::string_view("xyz" + d, 1);
                sum.thread[d] |= here && name == "threadIdx";
                sum.block[d] |= here && name == "blockIdx";
            }
            sum.unknown |= !isKernel_ || is(i + 1, "(");
            sum.loaded |= i > first && is(i + 1, "[");
            if (!sum.names.insert(name).second) continue;
            for (std::size_t set = declarationOf(i); set < end_; ++set) {
                const std::size_t from = tokens_[set].text == name ? beginOfValue(set) : end_;
                if (from < end_) look(from, endOfExpression(from), sum);
            }
        }
    }

    bool isKernel_ = false;
};

}  // namespace

Branch branchOfThreads(const std::string& file, const std::vector<int>& lines) {
    const std::string text = sourceText(file);
    const auto all = Function(text, lines.front()).branches(lines, &MadeOf::thread);
    return all.empty() ? Branch{} : all.front();
}

StoredByMany storedByMany(const std::string& file, int line, const std::string& variable,
                          const dim3& extents, bool acrossBlocks) {
    const std::string text = sourceText(file);
    return Function(text, line)
        .stored(line, variable, extents, acrossBlocks ? &MadeOf::block : &MadeOf::thread);
}

int lineOfCondition(const std::string& file, int line, const std::string& characters) {
    const std::string text = sourceText(file);
    return Function(text, line).lineOfCondition(line, characters);
}

Jump jumpOver(const std::string& file, int line) {
    const std::string text = sourceText(file);
    return Function(text, line).jumpOver(line);
}

int storedBySome(const std::string& file, int line, const std::string& array, bool byBlocks) {
    const std::string text = sourceText(file);
    return Function(text, line).storedBySome(array, byBlocks ? &MadeOf::block : &MadeOf::thread);
}

std::vector<std::string> inBracketsByBlock(const std::string& file, int line) {
    const std::string text = sourceText(file);
    return Function(text, line).inBracketsByBlock(line);
}

std::vector<Comparison> letIn(const std::string& file, int line, const std::string& limit) {
    const std::string text = sourceText(file);
    return Function(text, line).letIn(line, limit);
}

std::string ifLimited(const std::string& file, int line) {
    const std::string text = sourceText(file);
    std::string names;
    for (const Comparison& one : Function(text, line).heldDown(line))
        names += joined(names.empty() ? "" : " and ", one.name, " (line ", one.line, ")");
    return names.empty() ? ""
                         : joined("min() gives threads past the edge the last value of ", names,
                                  ", so that they store the same element as others. Leave min() "
                                  "out there, and let an if keep these threads from the store.");
}

std::string lengthOfOpenRow(const std::string& file, int line, const std::string& column) {
    const std::string text = sourceText(file);
    return Function(text, line).lengthOfOpenRow(column);
}

std::string ifTestsOther(const std::string& file, int line) {
    const std::string text = sourceText(file);
    const Comparison found = Function(text, line).testsOther(line);
    if (found.line == 0) return "";
    return joined("The if in line ", found.line, " tests ", found.name, ", but no index in line ",
                  line, " uses it. Test the row and the column that the index uses.");
}

bool onlyChanges(const std::string& file, int line, const std::string& array, bool byAtomic) {
    const std::string text = sourceText(file);
    return Function(text, line).onlyChanges(line, array, byAtomic);
}

}  // namespace cusim
