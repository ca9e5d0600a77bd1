#include "simulator/translate/navigation.h"

namespace translate {

std::size_t Walk::skipBrackets(std::size_t i) const {
    int depth = 0;
    for (; i < tokens_.size(); i = after(i)) {
        if (opens(i)) ++depth;
        if (closes(i) && --depth == 0) return after(i);
    }
    return i;
}

bool Walk::bracketsMatch(std::size_t first, std::size_t last) const {
    std::vector<std::size_t> opened;
    for (std::size_t i = first; i < last; i = after(i)) {
        if (opens(i)) opened.push_back(i);
        if (!closes(i)) continue;
        const std::string_view open = opened.empty() ? "" : textAt(opened.back());
        if (textAt(i) != (open == "(" ? ")" : open == "[" ? "]" : "}")) return false;
        if (!opened.empty()) opened.pop_back();
    }
    return opened.empty();
}

std::size_t Walk::openingOf(std::size_t i) const {
    int depth = 0;
    for (; i < tokens_.size(); i = before(i)) {
        if (is(i, ")") || is(i, "]")) ++depth;
        if ((is(i, "(") || is(i, "[")) && --depth == 0) return i;
    }
    return i;
}

std::size_t Walk::openingAngle(std::size_t i) const {
    if (!closesAngle(i)) return tokens_.size();
    int depth = 0;
    for (; i < tokens_.size(); i = before(i)) {
        if (is(i, ")")) i = openingOf(i);
        depth -= anglesAt(i);
        if (is(i, "<") && depth == 0) return i;
    }
    return tokens_.size();
}

std::size_t Walk::closingAngle(std::size_t i) const {
    for (int depth = 0; i < tokens_.size() && !is(i, ";"); i = after(i))
        if ((depth += anglesAt(i)) <= 0) break;
    return i;
}

int Walk::countArguments(std::size_t open, std::size_t close) const {
    int count = after(open) == close ? 0 : 1, depth = 0;
    for (std::size_t i = after(open); i < close; i = after(i)) {
        depth += opens(i) - closes(i) + anglesAt(i);
        if (depth == 0 && is(i, ",")) ++count;
    }
    return count;
}

}  // namespace translate
