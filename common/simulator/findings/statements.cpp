#include "simulator/findings/statements.h"

#include <algorithm>

namespace cusim {

using translate::Token;

Statements::Statements(std::string_view text) : Walk(translate::tokenize(text)) {
    tokens_.erase(std::remove_if(tokens_.begin(), tokens_.end(),
                                 [](const Token& token) {
                                     return token.kind == Token::Blank ||
                                            token.kind == Token::Directive;
                                 }),
                  tokens_.end());
}

std::size_t Statements::endOfStatement(std::size_t i, int depth) {
    // Limits the recursion, which runs on the small stack of a signal handler. No real kernel nests
    // as deep.
    constexpr int kDeepest = 100;
    if (depth > kDeepest) return tokens_.size();
    if (is(i, "{")) return skipBrackets(i);
    if (is(i, "do")) {
        const std::size_t condition = endOfStatement(i + 1, depth + 1);
        endsDo_.insert(condition);
        return endOfStatement(condition + 1, depth + 1);
    }
    if (isAnyOf(i, {"for", "while", "if", "switch"})) {
        std::size_t body = i + 1;
        while (body < tokens_.size() && !is(body, "(")) ++body;  // if constexpr (
        const std::size_t end = endOfStatement(skipBrackets(body), depth + 1);
        return is(i, "if") && is(end, "else") ? endOfStatement(end + 1, depth + 1) : end;
    }
    while (i < tokens_.size() && !is(i, ";") && !closes(i)) i = pass(i);
    return std::min(i + 1, tokens_.size());
}

FunctionStatements::FunctionStatements(std::string_view text, int line) : Statements(text) {
    for (std::size_t i = 1; i < tokens_.size() && tokens_[i].line <= line; ++i) {
        if (!is(i, "{") || !is(i - 1, ")")) continue;
        const std::size_t end = skipBrackets(i);
        if (tokens_[end - 1].line < line) continue;
        first_ = i;
        end_ = end;
        return;
    }
}

bool FunctionStatements::isLeftAt(std::size_t i) {
    const std::size_t end = endOfStatement(i);
    while (i < end && !isAnyOf(i, {"return", "continue", "break"})) ++i;
    return i < end;
}

bool FunctionStatements::isAround(std::size_t i, const std::vector<int>& lines) {
    const int last = tokens_[endOfStatement(i) - 1].line;
    return std::all_of(lines.begin(), lines.end(),
                       [&](int line) { return line >= tokens_[i].line && line <= last; });
}

int FunctionStatements::lineOfCondition(int line, std::string_view characters) {
    int found = 0;
    for (std::size_t i = first_; i < end_ && tokens_[i].line <= line; ++i) {
        if (!isAnyOf(i, {"if", "for", "while"}) || !is(i + 1, "(") || !isAround(i, {line}))
            continue;
        const char* const begin = tokens_[i].text.data();
        const std::string_view head(
            begin, static_cast<std::size_t>(tokens_[skipBrackets(i + 1) - 1].text.data() - begin));
        if (head.find(characters) != head.npos) found = tokens_[i].line;
    }
    return found;
}

std::size_t FunctionStatements::declarationOf(std::size_t i) const {
    std::size_t found = first_;
    for (std::size_t k = first_; k <= i; ++k)
        if (tokens_[k].text == tokens_[i].text && isWord(k - 1) &&
            !isAnyOf(k - 1, {"return", "else"}) && isAnyOf(k + 1, {"=", "(", "{", ";", ","}))
            found = k;
    return found;
}

std::size_t FunctionStatements::beginOfValue(std::size_t set) const {
    if (isAnyOf(set - 1, {".", "->"})) return end_;
    if (is(set - 1, "*") && !isWord(set - 2)) return end_;  // not the pointer itself
    std::size_t from = set + 1;
    if (isAnyOf(from, {"+", "-", "*", "/", "%", "&", "|", "^"})) ++from;
    const bool built = isAnyOf(from, {"(", "{"}) && isWord(set - 1);
    return built || (is(from, "=") && !is(from + 1, "=")) ? from + 1 : end_;
}

}  // namespace cusim
