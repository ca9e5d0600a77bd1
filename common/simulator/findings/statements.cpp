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
    // Bounds the recursion, which runs on the small stack of a signal handler; no kernel nests as
    // deep.
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

}  // namespace cusim
