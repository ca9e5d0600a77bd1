// Walks from bracket to bracket.
#include "simulator/translate/translator.h"

namespace translate {

// Returns the index behind the bracket that matches the one at i, or the end if none does.
std::size_t Translator::skipBrackets(std::size_t i) const {
    int depth = 0;
    for (; i < tokens_.size(); i = after(i)) {
        if (is(i, "(") || is(i, "[") || is(i, "{")) ++depth;
        if (is(i, ")") || is(i, "]") || is(i, "}"))
            if (--depth == 0) return after(i);
    }
    return i;
}

// Returns the bracket that matches the closing one at i, or the end if none does.
std::size_t Translator::openingOf(std::size_t i) const {
    int depth = 0;
    for (; i < tokens_.size(); i = before(i)) {
        if (is(i, ")") || is(i, "]")) ++depth;
        if ((is(i, "(") || is(i, "[")) && --depth == 0) return i;
    }
    return i;
}

// Returns the < that matches the > or >>> at i; the end if i is neither or has no match.
std::size_t Translator::openingAngle(std::size_t i) const {
    if (!is(i, ">") && !is(i, ">>>")) return tokens_.size();
    int depth = 0;
    for (; i < tokens_.size(); i = before(i)) {
        if (is(i, ")")) i = openingOf(i);
        if (is(i, ">")) ++depth;
        if (is(i, ">>>")) depth += 3;
        if (is(i, "<") && --depth == 0) return i;
        if (is(i, "<<<")) depth -= 3;
    }
    return tokens_.size();
}

// Returns the number of template arguments or parameters between < and >.
int Translator::countArguments(std::size_t open, std::size_t close) const {
    int count = after(open) == close ? 0 : 1, depth = 0;
    for (std::size_t i = after(open); i < close; i = after(i)) {
        if (is(i, "(") || is(i, "[") || is(i, "{") || is(i, "<")) ++depth;
        if (is(i, ")") || is(i, "]") || is(i, "}") || is(i, ">")) --depth;
        if (depth == 0 && is(i, ",")) ++count;
    }
    return count;
}

// Tests for the & of Type& or Type<...>&, in front of a name that is declared.
bool Translator::isReference(std::size_t i) const {
    return is(i, "&") && (isName(before(i)) || is(before(i), ">"));
}

// Tests that what stands behind i is not evaluated: sizeof f(), sizeof(f()), decltype(f()).
bool Translator::isUnevaluated(std::size_t i) const {
    const std::size_t operation = is(i, "(") ? before(i) : i;
    return is(operation, "sizeof") || is(operation, "decltype");
}

void Translator::Scope::pass(std::size_t i) {
    if (translator_.tokens_[i].kind == Token::Directive) {
        conditions_ += translator_.opensCondition(i);
    } else if (translator_.is(i, "{")) {
        isNamespace_.push_back(translator_.opensNamespace(i));
        depth_ += isNamespace_.back() ? 0 : 1;
    } else if (translator_.is(i, "}") && !isNamespace_.empty()) {
        depth_ -= isNamespace_.back() ? 0 : 1;
        isNamespace_.pop_back();
    }
}

}  // namespace translate
