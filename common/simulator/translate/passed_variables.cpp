// Refuses a device variable that host code passes to a kernel by its name. On a card that is the
// address of the host's own copy, which no kernel may use; here the two are one. Refuses only what
// the text leaves no doubt about.
#include "simulator/translate/translator.h"

namespace translate {

// Returns the name in an argument that is only a device array's name or a device variable's
// address; the end for any other argument.
std::size_t Translator::passedVariable(std::size_t first, std::size_t end) const {
    std::size_t i = first;
    // (float*)Mc
    while (is(i, "(") && is(before(before(skipBrackets(i))), "*")) i = skipBrackets(i);
    const bool address = is(i, "&");
    if (address) i = after(i);
    const auto found = deviceVariables_.find(textAt(i));
    if (i >= end || after(i) != end || !isWord(i) || found == deviceVariables_.end())
        return tokens_.size();
    return address || found->second ? i : tokens_.size();
}

// Tests whether the name may mean something else in the function or type whose { stands at `body`.
bool Translator::mayMeanAnother(std::string_view name, std::size_t body) const {
    for (const Token& token : tokens_)
        if (token.kind == Token::Directive && token.text.find(name) != std::string_view::npos)
            return true;
    std::size_t head = body;
    for (std::size_t i = before(body); i < tokens_.size(); i = before(i)) {
        if (isAnyOf(i, {";", "}", "{"})) break;
        // Members of a type may have the name, and device code may pass it.
        if (isAnyOf(i, {"struct", "class", "__device__", "__global__", "::"})) return true;
        head = i;
    }
    int parentheses = 0;
    const std::size_t end = skipBrackets(body);
    for (std::size_t i = head; i < end; i = after(i)) {
        parentheses += is(i, "(") - is(i, ")");
        if (textAt(i) != name || !isWord(i)) continue;
        const std::size_t previous = before(i);
        const bool another = is(previous, ",") && parentheses == 0;
        if (isName(previous) || isReference(previous) || another ||
            isAnyOf(previous, {"*", "&&", ">", "::", "[", "."}))
            return true;
    }
    return false;
}

void Translator::refusePassedVariables(std::size_t open, std::size_t body) const {
    std::size_t i = open;
    while (i < tokens_.size() && !is(i, ">>>")) i = after(i);
    const std::size_t close = before(skipBrackets(after(i)));
    for (std::size_t first = after(after(i)); first < close;) {
        std::size_t end = first;
        while (end < close && !is(end, ",")) end = pass(end);
        const std::size_t name = passedVariable(first, end);
        if (name < tokens_.size() && !mayMeanAnother(textAt(name), body)) {
            const std::string variable{textAt(name)};
            refuse(name, "host code passes " + variable + ", a variable of the device",
                   "a kernel sees " + variable + " by its name; take it out of the launch");
        }
        first = after(end);
    }
}

}  // namespace translate
